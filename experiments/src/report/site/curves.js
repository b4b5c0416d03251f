
// From the data to the curves that are drawn.
const DATA = JSON.parse(document.getElementById("data").textContent);

const count = (number) => number.toLocaleString("en");
const times = (number) => (number >= 1000 ? count(Math.round(number)) : number.toPrecision(4));
// What people read for T1 / (work / P + span), which the data call `bound`.
const GREEDY_GUARANTEE = "greedy guarantee";

const percent = (number) => `${(100 * number).toFixed(Math.abs(number) < 0.1 ? 2 : 1)}%`;

// What there is a picture of: `at` is the figure of a point at a position, `limit` what it would be without any loss.
const FIGURES = [
  {
    id: "speedup", title: "Speedup", unit: "times as fast as the fastest serial search", isLog: true, show: times,
    at: (point, place) => point.speedup[place],
    bound: (point, place) => (point.bound ? point.bound[place] : null),
    limit: (processors) => processors,
  },
  {
    id: "efficiency", title: "Efficiency", unit: "speedup / P", isLog: false, show: percent,
    at: (point, place) => point.speedup[place] / point.processors,
    bound: (point, place) => (point.bound ? point.bound[place] / point.processors : null),
    limit: () => 1,
  },
  {
    id: "overhead", title: "Search overhead", unit: "nodes beyond those of the serial search", isLog: false, show: percent,
    at: (point, place) => point.overhead[place],
    bound: () => null,
    limit: () => 0,
  },
  {
    id: "idle", title: "Idle time", unit: "share of all processors' time", isLog: false, show: percent,
    at: (point, place) => (point.idle ? point.idle[place] : null),
    bound: () => null,
    limit: () => 0,
  },
];

// The items with the same key side by side, in the order in which they first come: pairs of key and items.
function groupedBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

// What a record was to find out.
const questionOf = (folder) => folder.question ?? "Records of your own";

// The costs of a simulation: those that were measured by the machine's name.
const costsOf = (costs) => costs.match(/([^/]+)\/costs\.json$/)?.[1] ?? costs;

// Searches whose times compare: a folder's in real time, or under one cost model. No curve is of two of them.
function panelsOf(folder) {
  return folder.panels.map((panel) => {
    const isAnyLarge = panel.positions.some(([, , nodes]) => nodes >= DATA.min_nodes);
    const positions = panel.positions.map(([index, text, nodes]) => ({
      key: `${index}: ${text}`, nodes, isLarge: nodes >= DATA.min_nodes || !isAnyLarge,
    }));
    const processors = new Set(panel.curves.flatMap((curve) => curve.points.map((point) => point.processors)));
    const orderings = new Set(panel.curves.map((curve) => curve.ordering));
    const kind = folder.simulated ? `costs ${costsOf(panel.costs)}` : "real threads";
    const part = folder.part ? `${folder.part}, ${kind}` : kind;
    return {
      ...panel, positions, folder, orderings,
      key: `${folder.name}/${panel.costs}`,
      game: folder.game,
      isSimulated: folder.simulated,
      question: questionOf(folder),
      part,
      name: `${folder.machine}: ${part}`,
      processors: [...processors].sort((one, other) => one - other),
    };
  });
}

const PANELS = DATA.folders.flatMap(panelsOf);

// The panels that are chosen, of games that are not left out.
const shownPanels = (state) => PANELS.filter((panel) => state.panels.has(panel.key) && !state.games.has(panel.game));

// The numbers of the panel's positions that are chosen.
function placesOf(panel, positions) {
  const isChosen = (position) =>
    positions === "all" || (positions === "large" ? position.isLarge : positions.has(position.key));
  return panel.positions.flatMap((position, place) => (isChosen(position) ? [place] : []));
}

// A figure of a point over positions: the median, its interval, the median of the guarantee. None where it is not
// known.
function valueOf(figure, point, places) {
  const samples = places.map((place) => figure.at(point, place));
  if (samples.length === 0 || samples.some((sample) => sample === null || !Number.isFinite(sample))) return null;
  const bounds = places.map((place) => figure.bound(point, place));
  return {
    median: Bootstrap.median(samples),
    interval: Bootstrap.interval(samples),
    bound: bounds.includes(null) ? null : Bootstrap.median(bounds),
  };
}

// Every curve that the state asks for, with its figures; a panel without any of the chosen positions has none.
function curvesOf(state) {
  return shownPanels(state).flatMap((panel) => {
    const places = placesOf(panel, state.positions);
    const isShown = (curve) => !state.methods.has(curve.method) && !state.orderings.has(curve.ordering);
    return (places.length === 0 ? [] : panel.curves.filter(isShown)).map((curve) => ({
      key: `${panel.key}/${curve.method}/${curve.ordering}`,
      panel, method: curve.method, ordering: curve.ordering,
      label: panel.orderings.size > 1 ? `${curve.method}, ${curve.ordering}` : curve.method,
      positions: places.length,
      points: curve.points.map((point) => ({
        processors: point.processors,
        figures: Object.fromEntries(FIGURES.map((figure) => [figure.id, valueOf(figure, point, places)])),
      })),
    }));
  });
}

const kindOf = (panel) => (panel.isSimulated ? "SIMULATED" : "real");

// Which positions the state asks for, for a table.
const choiceOf = (positions) => (typeof positions === "string" ? positions : [...positions].join("; "));

const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));

// What a picture shows, as a table for other programs.
function csvOf(figure, curves, positions) {
  const columns = ["kind", "folder", "costs", "method", "ordering", "processors", "chosen_positions", "positions"];
  const parts = ["median", "interval_low", "interval_high", "greedy_guarantee", "limit"];
  const rows = [[...columns, ...parts.map((part) => `${figure.id}_${part}`)]];
  for (const { panel, method, ordering, positions: number, points } of curves) {
    for (const { processors, figures } of points) {
      const value = figures[figure.id];
      if (value === null) continue;
      const { low, high } = value.interval || { low: "", high: "" };
      const numbers = [value.median, low, high, value.bound === null ? "" : value.bound, figure.limit(processors)];
      rows.push([kindOf(panel), panel.folder.name, panel.costs, method, ordering, processors, choiceOf(positions), number]
        .concat(numbers.map((part) => (part === "" ? "" : Number(part.toPrecision(6))))));
    }
  }
  return rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
}
