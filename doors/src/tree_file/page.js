"use strict";

// Why a node ended: its name, and what that means. The order is that of the legend.
const ENDS = {
  beta: "worth at least beta: what is left could not matter",
  alpha: "worth at most alpha: the player above has better",
  exact: "within its window, so exact",
  table: "the table settled it",
  "static-bounds": "bounds known without a search settled it",
  collapse: "a chance node whose leaves share one evaluation",
  leaf: "the depth is reached: an evaluation",
  terminal: "the game is over",
  open: "a probe that settled nothing, or others left nothing to do",
  halted: "left unfinished: a node above was cut, or the search ended",
};
const PHASES = { probing: "probe", shares: "share of beta", star1: "Star1" };
const ROW = 12; // the height of a node in the picture, in pixels
const CHILDREN = 300; // as many rows below a node at most, until more are asked for
const WORKER_HUES = [210, 30, 130, 330, 270, 60, 180, 0];

/** The colour of a worker. */
const hue = (worker) => `hsl(${WORKER_HUES[worker % WORKER_HUES.length]} 65% 50%)`;

/** An element with a class, a text and children. Texts are never read as HTML. */
function make(tag, { cls, text, ...rest } = {}, ...children) {
  const element = document.createElement(tag);
  if (cls) element.className = cls;
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(rest)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Children, and the events in the order in which they happened: `begins[n]` and `ends[n]` are places in it. */
function arrange(nodes) {
  const children = nodes.map(() => []);
  const roots = [];
  nodes.forEach((node, n) => (node.parent === null ? roots : children[node.parent]).push(n));
  const events = eventsOf(nodes);
  const begins = new Array(nodes.length);
  const ends = new Array(nodes.length);
  events.forEach(({ node, isBegin }, place) => { (isBegin ? begins : ends)[node] = place; });
  return { children, roots, events, begins, ends };
}

/** A worker's events nest: before a node begins, what is over and not above it ends. Workers are merged by time. */
function eventsOf(nodes) {
  const above = (upper, n) => {
    for (let at = nodes[n].parent; at !== null && at >= upper; at = nodes[at].parent) if (at === upper) return true;
    return false;
  };
  const lists = new Map();
  nodes.forEach((node, n) => {
    if (!lists.has(node.worker)) lists.set(node.worker, { open: [], events: [] });
    const { open, events } = lists.get(node.worker);
    while (open.length > 0) {
      const top = open[open.length - 1];
      if (above(top, n) || nodes[top].ended > node.began) break;
      events.push({ node: open.pop(), isBegin: false, time: nodes[top].ended });
    }
    node.row = open.length;
    open.push(n);
    events.push({ node: n, isBegin: true, time: node.began });
  });
  for (const { open, events } of lists.values()) {
    while (open.length > 0) {
      const top = open.pop();
      events.push({ node: top, isBegin: false, time: nodes[top].ended });
    }
  }
  // Stable: of one time, each worker's events stay in their order.
  return [...lists.values()].flatMap(({ events }) => events).sort((one, other) => one.time - other.time);
}

/** A tree on the page. */
class Tree {
  constructor({ header, nodes }, place) {
    Object.assign(this, { header, nodes, place }, arrange(nodes));
    this.workers = [...new Set(nodes.map((node) => node.worker))].sort((a, b) => a - b);
    this.shown = new Set(this.workers);
    this.rows = new Map(this.workers.map((worker) => [worker, 1]));
    for (const node of nodes) this.rows.set(node.worker, Math.max(this.rows.get(node.worker), node.row + 1));
    this.expanded = new Set(this.roots);
    this.unlimited = new Set();
    this.selected = this.roots[0] ?? null;
    this.now = this.events.length;
    [this.from, this.to] = [0, Math.max(1, this.events.length)];
    this.build();
    this.choose(this.selected);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  build() {
    const { header } = this;
    const clock = header.simulated ? "virtual processors, SIMULATED" : header.threads === 1 ? "thread" : "threads";
    const how = `${header.algorithm}, ${header.threads} ${clock}` + (header.threads > 1 ? `, ${header.method}` : "");
    const left = header.left_out === 0 ? "all of them" : `${header.left_out} deeper than ply ${header.deepest_ply} are left out`;
    const value = header.value === null ? "no value" : `value ${header.value}`;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": "The nodes over time" });
    this.outline = make("div", { cls: "outline", role: "tree", "aria-label": "The nodes" });
    this.facts = make("dl");
    this.told = make("output", { cls: "said" });
    this.slider = make("input", { type: "range", min: "0", max: String(this.events.length), value: String(this.events.length), "aria-label": "Time" });
    this.colours = make("select", { "aria-label": "Colours" },
      make("option", { value: "end", text: "colours: why it ended" }), make("option", { value: "worker", text: "colours: worker" }));
    const button = (text, label, act) => {
      const made = make("button", { type: "button", text, "aria-label": label, title: label });
      made.addEventListener("click", act);
      return made;
    };
    this.player = button("play", "play or pause", () => this.play());
    const boxes = this.workers.map((worker) => {
      const box = make("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => {
        if (box.checked) this.shown.add(worker); else this.shown.delete(worker);
        this.list(); this.draw();
      });
      const dot = make("span", { cls: "dot" });
      dot.style.background = hue(worker);
      return make("label", {}, box, dot, ` worker ${worker}`);
    });
    this.place.append(
      make("h2", { text: `${header.game}, depth ${header.depth}: ${how}` }),
      make("p", { cls: "said", text: `${value}${header.best_move ? `, best move ${header.best_move}` : ""}; ${this.nodes.length} nodes, ${left}` }),
      make("pre", { cls: "board", tabindex: "0", text: header.drawn || header.position }),
      this.canvas,
      make("div", { cls: "controls" },
        button("|◀", "to the beginning", () => this.go(0)), button("◀", "back", () => this.step(-1)), this.player,
        button("▶", "forward", () => this.step(1)), button("▶|", "to the end", () => this.go(this.events.length)),
        this.slider, button("+", "zoom in", () => this.zoom(0.5)), button("−", "zoom out", () => this.zoom(2)), this.colours),
      make("div", { cls: "controls" }, ...(this.workers.length > 1 ? boxes : [])),
      this.told, this.outline, this.facts);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.colours.addEventListener("change", () => this.draw());
    this.canvas.addEventListener("click", (event) => this.pick(event));
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, event.offsetX / this.canvas.clientWidth);
    }, { passive: false });
  }

  /** A score as a value for the player whose turn it is. */
  value(node, score) {
    const { range: [low, high], limit } = this.header;
    const forMax = node.player === "max" ? score : -score;
    const value = (low + high) / 2 + ((high - low) / 2) * (forMax / limit);
    const shown = node.player === "max" || low + high !== 0 ? value : -value;
    return String(Number(shown.toPrecision(4)));
  }

  asked(node, [alpha, beta]) {
    const { limit } = this.header;
    const end = (score) => (Math.abs(score) >= limit ? (score < 0 ? "−∞" : "∞") : this.value(node, score));
    return `(${end(alpha)}, ${end(beta)})`;
  }

  proven(node, [lower, upper]) {
    return lower === upper ? this.value(node, lower) : `[${this.value(node, lower)}, ${this.value(node, upper)}]`;
  }

  name(n) {
    const node = this.nodes[n];
    const chance = node.weight === null ? "" : ` (weight ${node.weight})`;
    return node.step === null ? "the root" : `${node.step}${chance}`;
  }

  /** Selects a node, and shows it in the list. */
  choose(n) {
    if (n === null) return;
    this.selected = n;
    for (let at = this.nodes[n].parent; at !== null; at = this.nodes[at].parent) this.expanded.add(at);
    this.list();
    this.tell();
    this.draw();
  }

  visible() {
    const rows = [];
    const visit = (n, level) => {
      rows.push({ n, level });
      if (!this.expanded.has(n)) return;
      const below = this.children[n];
      const most = this.unlimited.has(n) ? below.length : CHILDREN;
      const inside = below.slice(0, most);
      // The one that is chosen is always there.
      const path = below.slice(most).filter((child) => child === this.selected || this.expanded.has(child));
      for (const child of [...inside, ...path]) visit(child, level + 1);
      if (most < below.length) rows.push({ more: n, level: level + 1, left: below.length - most });
    };
    for (const root of this.roots) visit(root, 0);
    return rows;
  }

  list() {
    const rows = this.visible().map((row) => (row.more === undefined ? this.row(row) : this.moreRow(row)));
    this.outline.replaceChildren(...rows);
    // Only the list is scrolled, not the page.
    const row = this.outline.querySelector("[aria-selected=true]");
    if (row === null) return;
    const [top, bottom] = [row.offsetTop - this.outline.offsetTop, row.offsetTop - this.outline.offsetTop + row.offsetHeight];
    if (top < this.outline.scrollTop) this.outline.scrollTop = top;
    if (bottom > this.outline.scrollTop + this.outline.clientHeight) this.outline.scrollTop = bottom - this.outline.clientHeight;
  }

  row({ n, level }) {
    const node = this.nodes[n];
    const kind = { chance: "○", decision: node.player === "max" ? "▲" : "▼", terminal: "■" }[node.kind] ?? "";
    const sign = this.children[n].length === 0 ? "" : this.expanded.has(n) ? "▾" : "▸";
    const end = make("span", { cls: "end", text: node.end });
    end.style.color = `var(--${node.end})`;
    const dot = make("span", { cls: "dot", title: `worker ${node.worker}` });
    dot.style.background = hue(node.worker);
    const isLater = this.begins[n] >= this.now;
    // What comes of a node is told when its time has come.
    const isDone = this.ends[n] < this.now;
    const row = make("div", {
      cls: `row${isLater ? " later" : ""}${this.shown.has(node.worker) ? "" : " other"}`,
      role: "treeitem", "aria-level": String(level + 1), "aria-selected": String(n === this.selected),
      tabindex: n === this.selected ? "0" : "-1",
    },
    make("span", { cls: "sign", text: sign }), dot, ` ${kind} ${this.name(n)} `,
    make("span", { cls: "asked", text: isLater ? "" : this.asked(node, node.window) }),
    isDone ? ` → ${this.proven(node, node.bounds)} ` : "", isDone ? end : "",
    make("span", { cls: "side", text: node.phase ? ` ${PHASES[node.phase] ?? node.phase}` : "" }),
    make("span", { cls: "side", text: node.narrowed?.length ? " narrowed" : "" }));
    if (this.children[n].length > 0) row.setAttribute("aria-expanded", String(this.expanded.has(n)));
    row.style.paddingLeft = `${0.4 + level * 1.1}rem`;
    row.dataset.node = String(n);
    row.addEventListener("click", (event) => {
      if (n === this.selected || event.target.classList.contains("sign")) this.toggle(n);
      if (n !== this.selected) this.choose(n);
      this.focusRow();
    });
    return row;
  }

  moreRow({ more, level, left }) {
    const row = make("div", { cls: "row side", text: `${left} more …` });
    row.style.paddingLeft = `${0.4 + level * 1.1}rem`;
    row.addEventListener("click", () => { this.unlimited.add(more); this.list(); });
    return row;
  }

  toggle(n) {
    if (this.expanded.has(n)) this.expanded.delete(n); else this.expanded.add(n);
    this.list();
  }

  focusRow() {
    this.outline.querySelector("[aria-selected=true]")?.focus({ preventScroll: true });
  }

  /** What is known of the chosen node. */
  tell() {
    const node = this.nodes[this.selected];
    const time = (ns) => (this.header.simulated ? String(ns) : `${(ns / 1e6).toPrecision(4)} ms`);
    const facts = [
      ["node", `${this.selected} of ${this.nodes.length}: ${this.name(this.selected)}`],
      ["line", this.line(this.selected) || "the root"],
      ["kind", `${node.kind}, ${node.player === "max" ? "Max" : "Min"}'s turn, depth ${node.depth}, ply ${node.ply}`],
      ["asked", `${this.asked(node, node.window)}${node.phase ? `, ${PHASES[node.phase] ?? node.phase}` : ""}`],
      ...(node.narrowed ?? []).map(([at, window]) => ["narrowed", `to ${this.asked(node, window)} at ${time(at)}, by what others had proven`]),
      ["proven", this.proven(node, node.bounds)],
      ["ended", `${node.end}: ${ENDS[node.end] ?? ""}`],
      ["searched", `by worker ${node.worker}, from ${time(node.began)} to ${time(node.ended)}`],
    ];
    this.facts.replaceChildren(...facts.flatMap(([name, text]) => [make("dt", { text: name }), make("dd", { text })]));
  }

  line(n) {
    const steps = [];
    for (let at = n; at !== null; at = this.nodes[at].parent) if (this.nodes[at].step !== null) steps.unshift(this.nodes[at].step);
    return steps.join(", ");
  }

  /** Goes to a place in time. */
  go(now) {
    this.now = Math.max(0, Math.min(now, this.events.length));
    this.slider.value = String(this.now);
    const event = this.events[this.now - 1];
    if (event === undefined) {
      this.told.textContent = "before the first node";
      this.list(); this.draw();
      return;
    }
    const node = this.nodes[event.node];
    this.told.textContent = `${this.now} of ${this.events.length}: worker ${node.worker} ` +
      (event.isBegin ? `enters ${this.name(event.node)}, asked ${this.asked(node, node.window)}`
        : `leaves ${this.name(event.node)}: ${this.proven(node, node.bounds)}, ${node.end}`);
    if (this.now < this.from || this.now > this.to) this.centre();
    this.choose(event.node);
  }

  /** To the next event of a worker that is shown. */
  step(by) {
    // A page opens at the end: from there, forward is the beginning.
    if (by > 0 && this.now === this.events.length) {
      this.go(0);
      return;
    }
    let now = this.now + by;
    const isOther = () => now >= 1 && now <= this.events.length && !this.shown.has(this.nodes[this.events[now - 1].node].worker);
    while (isOther()) now += by;
    this.go(now);
  }

  play() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    } else {
      if (this.now >= this.events.length) this.go(0);
      this.timer = setInterval(() => {
        this.step(1);
        if (this.now >= this.events.length) this.play();
      }, 250);
    }
    this.player.textContent = this.timer ? "pause" : "play";
  }

  zoom(factor, at = null) {
    const width = Math.min(this.events.length, Math.max(8, (this.to - this.from) * factor));
    const centre = at === null ? Math.max(this.from, Math.min(this.now, this.to)) : this.from + at * (this.to - this.from);
    const share = (centre - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.events.length - width, centre - share * width));
    this.to = this.from + width;
    this.draw();
  }

  centre() {
    const width = this.to - this.from;
    this.from = Math.max(0, Math.min(this.events.length - width, this.now - width / 2));
    this.to = this.from + width;
  }

  /** The top of each worker's strip. */
  tops() {
    const tops = new Map();
    let top = 0;
    for (const worker of this.workers) {
      tops.set(worker, top);
      top += this.rows.get(worker) * ROW + 6;
    }
    return { tops, height: top };
  }

  draw() {
    const { tops, height } = this.tops();
    const [width, scale] = [this.canvas.clientWidth, devicePixelRatio || 1];
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colour = Object.fromEntries(Object.keys(ENDS).map((end) => [end, style.getPropertyValue(`--${end}`)]));
    const x = (place) => ((place - this.from) / (this.to - this.from)) * width;
    this.nodes.forEach((node, n) => {
      const [left, right] = [x(this.begins[n]), x(this.ends[n] + 1)];
      if (right < 0 || left > width || !this.shown.has(node.worker)) return;
      pen.globalAlpha = this.begins[n] < this.now ? 1 : 0.2;
      pen.fillStyle = this.colours.value === "worker" ? hue(node.worker) : colour[node.end] ?? "gray";
      const gap = right - left > 3 ? 1 : 0;
      pen.fillRect(left, tops.get(node.worker) + node.row * ROW, Math.max(0.5, right - left - gap), ROW - 1);
    });
    pen.globalAlpha = 1;
    pen.fillStyle = style.getPropertyValue("--text");
    pen.fillRect(x(this.now), 0, 1, height);
    if (this.selected !== null) {
      const node = this.nodes[this.selected];
      pen.strokeStyle = style.getPropertyValue("--text");
      pen.lineWidth = 2;
      const [left, right] = [x(this.begins[this.selected]), x(this.ends[this.selected] + 1)];
      pen.strokeRect(left, tops.get(node.worker) + node.row * ROW, Math.max(2, right - left), ROW - 1);
    }
  }

  /** Chooses the node under the pointer. */
  pick({ offsetX, offsetY }) {
    const { tops } = this.tops();
    const place = this.from + (offsetX / this.canvas.clientWidth) * (this.to - this.from);
    const worker = this.workers.filter((one) => tops.get(one) <= offsetY).pop();
    const row = Math.floor((offsetY - tops.get(worker)) / ROW);
    const found = this.nodes.findIndex((node, n) => node.worker === worker && node.row === row && this.begins[n] <= place && place <= this.ends[n] + 1);
    if (found >= 0) this.choose(found);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inList = this.outline.contains(event.target);
    const acts = {
      ".": () => this.step(1), ",": () => this.step(-1),
      "+": () => this.zoom(0.5), "-": () => this.zoom(2), 0: () => { [this.from, this.to] = [0, Math.max(1, this.events.length)]; this.draw(); },
      ...(inList && { ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1), ArrowRight: () => this.inwards(), ArrowLeft: () => this.outwards(), " ": () => this.play(), Enter: () => this.toggle(this.selected) }),
    };
    const act = acts[event.key];
    if (act === undefined || event.target.tagName === "SELECT") return;
    event.preventDefault();
    act();
    if (inList) this.focusRow();
  }

  move(by) {
    const rows = this.visible().filter((row) => row.n !== undefined);
    const place = rows.findIndex((row) => row.n === this.selected) + by;
    if (rows[place]) this.choose(rows[place].n);
  }

  inwards() {
    if (!this.expanded.has(this.selected) && this.children[this.selected].length > 0) this.toggle(this.selected);
    else if (this.children[this.selected].length > 0) this.choose(this.children[this.selected][0]);
  }

  outwards() {
    if (this.expanded.has(this.selected) && this.children[this.selected].length > 0) this.toggle(this.selected);
    else if (this.nodes[this.selected].parent !== null) this.choose(this.nodes[this.selected].parent);
  }
}

for (const [end, meaning] of Object.entries(ENDS)) {
  const name = make("span", { cls: "end", text: end });
  name.style.color = `var(--${end})`;
  document.getElementById("legend").append(make("li", {}, name, `: ${meaning}`));
}
for (const [sign, meaning] of [["○", "a chance node"], ["▲ ▼", "a move of Max, of Min"], ["■", "the end of the game"]]) {
  document.getElementById("legend").append(make("li", { text: `${sign}: ${meaning}` }));
}
// Where no tree has the focus, all of them are meant.
document.addEventListener("keydown", (event) => {
  const own = window.trees.filter((tree) => tree.place.contains(event.target));
  (own.length > 0 ? own : window.trees).forEach((tree) => tree.key(event));
});
window.trees = JSON.parse(document.getElementById("data").textContent).map((tree) => {
  const place = make("section");
  document.getElementById("trees").append(place);
  return new Tree(tree, place);
});
