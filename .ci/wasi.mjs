// Runs a program for wasm32-wasip1 in node, and ends with its exit code: node wasi.mjs FILE.wasm
import { readFile } from "node:fs/promises";
import process from "node:process";
import { WASI } from "node:wasi";

const file = process.argv[2];
const wasi = new WASI({ version: "preview1", args: [file], returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
