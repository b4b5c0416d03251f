
// What is chosen, and how the address says so: a view can be passed on as a link.
const State = (() => {
  // Where nothing is chosen yet: a real experiment and a simulated one, by measured costs where there are such, with several
  // numbers of processors; of those the latest, then the most processors, the largest searches, the most points, the last.
  function first(isSimulated) {
    const points = (panel) => panel.curves.reduce((sum, curve) => sum + curve.points.length, 0);
    const isMeasured = (panel) => !["unit", "free"].includes(panel.costs);
    const isCurve = (panel) => panel.processors.length > 1;
    const largest = (panel) => Math.max(...panel.positions.map(({ nodes }) => nodes));
    const better = (one, other) =>
      isMeasured(other) - isMeasured(one) || isCurve(other) - isCurve(one) ||
      (one.folder.started < other.folder.started) - (one.folder.started > other.folder.started) ||
      other.processors.at(-1) - one.processors.at(-1) || largest(other) - largest(one) || points(other) - points(one) ||
      PANELS.indexOf(other) - PANELS.indexOf(one);
    return PANELS.filter((panel) => panel.isSimulated === isSimulated).sort(better).slice(0, 1);
  }

  // `games`, `methods` and `orderings` are those that are left out; `positions` is "large", "all" or a set of their keys.
  // What is looked for changes the list alone, and is not in the address.
  function read() {
    const words = new URLSearchParams(location.hash.slice(1));
    const known = new Set(PANELS.map((panel) => panel.key));
    const named = words.getAll("show").filter((key) => known.has(key));
    const usual = [...first(false), ...first(true)].map((panel) => panel.key);
    const places = words.getAll("at");
    const positions = words.get("positions") === "all" ? "all" : "large";
    const theme = words.get("theme");
    return {
      panels: new Set(words.has("show") ? named : usual),
      games: new Set(words.getAll("without-game")),
      methods: new Set(words.getAll("without")),
      orderings: new Set(words.getAll("without-ordering")),
      positions: places.length > 0 ? new Set(places) : positions,
      theme: ["light", "dark"].includes(theme) ? theme : "system",
      search: "",
    };
  }

  function write(state) {
    const words = new URLSearchParams();
    const add = (name, values) => values.forEach((value) => words.append(name, value));
    add("show", state.panels.size > 0 ? [...state.panels] : [""]);
    add("without-game", [...state.games]);
    add("without", [...state.methods]);
    add("without-ordering", [...state.orderings]);
    if (state.positions === "all") words.append("positions", "all");
    else if (state.positions !== "large") add("at", [...state.positions]);
    if (state.theme !== "system") words.append("theme", state.theme);
    history.replaceState(null, "", `#${words}`);
  }

  return { read, write };
})();
