
// The lists beside the pictures: what can be chosen, the legend, the table of figures, the folders.
const Lists = (() => {
  function box(type, name, value, isChecked, text, hint) {
    const input = element("input", { type, name, value });
    input.checked = isChecked;
    const words = element("span", {}, text, ...(hint ? [element("small", {}, hint)] : []));
    return element("label", {}, input, words);
  }

  function group(title, ...parts) {
    return element("fieldset", {}, element("legend", {}, title), ...parts);
  }

  const ofMany = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

  function hintOf(panel) {
    const [least, most] = [panel.processors[0], panel.processors.at(-1)];
    const range = least === most ? count(least) : `${count(least)} to ${count(most)}`;
    const methods = new Set(panel.curves.map((curve) => curve.method));
    const named = methods.size > 2 ? `${methods.size} methods` : [...methods].join(", ");
    const depth = panel.folder.facts.find(([name]) => name === "depth");
    // The machine and the run, where the question is said above, and whose costs they are.
    const [, ...where] = panel.folder.question ? panel.folder.name.split("/") : [];
    if (panel.isSimulated && panel.folder.question) where.push(`costs ${panel.costs.split("/").at(-2) ?? panel.costs}`);
    return `${where.map((part) => `${part} · `).join("")}P ${range} · ${named} · depth ${depth ? depth[1] : "unknown"}`;
  }

  function experiments(state) {
    const isListed = (panel) => !state.games.has(panel.game);
    const of = (isSimulated) => PANELS.filter((panel) => panel.isSimulated === isSimulated && isListed(panel)).map((panel) =>
      box("checkbox", "panels", panel.key, state.panels.has(panel.key), panel.folder.question ?? panel.name,
        hintOf(panel)));
    const listed = (title, boxes) => (boxes.length === 0 ? [] : [group(title, element("div", { class: "scroll" }, ...boxes))]);
    return [...listed("Real threads", of(false)), ...listed("SIMULATED processors", of(true))];
  }

  // Methods, or orderings, of what is shown; `left` are those that are left out. A single one needs no choice.
  function kinds(title, name, found, left, least) {
    const sorted = [...found];
    return sorted.length < least ? []
      : [group(title, ...sorted.map((kind) => box("checkbox", name, kind, !left.has(kind), kind)))];
  }

  function positions(state, panels) {
    const found = new Map(panels.flatMap((panel) => panel.positions.map((place) => [place.key, place])));
    const byPlace = (one, other) => parseInt(one.key, 10) - parseInt(other.key, 10) || (one.key < other.key ? -1 : 1);
    const places = [...found.values()].sort(byPlace);
    const isSome = typeof state.positions !== "string";
    const single = ({ key, nodes }) => box("checkbox", "at", key, isSome && state.positions.has(key),
      element("code", {}, key), `${count(nodes)} nodes`);
    const several = element("div", { class: "scroll", id: "places" }, ...places.map(single));
    several.hidden = !isSome;
    return group("Positions",
      box("radio", "positions", "large", state.positions === "large", "the large ones",
        `from ${count(DATA.min_nodes)} nodes of the serial search on; all where none is large`),
      box("radio", "positions", "all", state.positions === "all", "all"),
      box("radio", "positions", "some", isSome, "single ones"), several);
  }

  function controls(state) {
    const panels = shownPanels(state);
    const curves = panels.flatMap((panel) => panel.curves);
    const present = new Set(curves.map((curve) => curve.method));
    const orderings = new Set(curves.map((curve) => curve.ordering));
    return [
      ...kinds("Games", "games", new Set(PANELS.map((panel) => panel.game)), state.games, 2),
      ...experiments(state),
      ...kinds("Methods", "methods", DATA.methods.filter((method) => present.has(method)), state.methods, 1),
      ...kinds("Move orderings", "orderings", orderings, state.orderings, 2),
      positions(state, panels),
    ];
  }

  function legend(curves) {
    const item = (curve) => {
      const made = element("li");
      made.innerHTML = Look.sample(Look.of(curve));
      const words = element("span", {}, element("b", {}, curve.label), " ", kindTag(curve.panel),
        element("small", {}, `${curve.panel.name} · ${ofMany(curve.positions, "position", "positions")}`));
      made.append(words);
      return made;
    };
    const line = (dashes, text) => {
      const made = element("li", { class: "line" });
      made.innerHTML = Look.line(dashes);
      made.append(element("span", {}, text));
      return made;
    };
    const hasBound = curves.some((curve) => curve.points.some((point) => point.figures.speedup?.bound != null));
    return curves.length === 0 ? [] : [...curves.map(item), line(Look.DASHES.limit, "linear limit: nothing lost"),
      ...(hasBound ? [line(Look.DASHES.bound, "at least, by work and span")] : [])];
  }

  function table(curves) {
    const cell = (figure, value) => {
      if (value === null) return "-";
      const spread = value.interval ? ` [${figure.show(value.interval.low)} .. ${figure.show(value.interval.high)}]` : "";
      return figure.show(value.median) + spread;
    };
    const names = ["experiment", "kind", "method", "P", "positions", ...FIGURES.map((figure) => figure.title.toLowerCase()),
      "at least, by work and span"];
    const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
    const rows = curves.flatMap((curve) => curve.points.map((point) => element("tr", {},
      ...[curve.panel.name, kindOf(curve.panel), curve.label, count(point.processors), count(curve.positions),
        ...FIGURES.map((figure) => cell(figure, point.figures[figure.id])),
        point.figures.speedup?.bound == null ? "-" : times(point.figures.speedup.bound)]
        .map((text) => element("td", {}, text)))));
    const caption = element("caption", {}, "Medians over the chosen positions, in brackets their 95% intervals.");
    return element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  function folder({ name, game, simulated, command, facts, lacks, panels }, isOpen) {
    const row = (title, value) => [element("dt", {}, title), element("dd", {}, value)];
    const ofPanel = (panel) => {
      const large = panel.positions.filter(([, , nodes]) => nodes >= DATA.min_nodes).length;
      const among = panel.baselines === 1 ? "the only one searched" : `the fastest of ${panel.baselines}`;
      return row(simulated ? `costs ${panel.costs}` : "real time",
        `${panel.charges ? `${panel.charges}. ` : ""}${panel.positions.length} of ${panel.recorded} recorded positions count, ` +
        `${large} of them are large. Baseline: the serial search with ordering ${panel.baseline}, ${among}. ` +
        `${panel.values_equal ? "All values are equal." : "Searches with wrong values are LEFT OUT."}`);
    };
    const made = element("details", isOpen ? { open: "" } : {},
      element("summary", {}, `${name} `, kindTag({ isSimulated: simulated }), lacks ? ` INCOMPLETE: ${lacks}` : ""),
      element("dl", {}, ...row("game", game), ...row("command", element("code", {}, command)),
        ...facts.flatMap(([title, value]) => row(title, value)), ...panels.flatMap(ofPanel)));
    return made;
  }

  // Those that are shown come first.
  function folders(state) {
    const isShown = (one) => shownPanels(state).some((panel) => panel.folder === one);
    const [shown, others] = [DATA.folders.filter(isShown), DATA.folders.filter((one) => !isShown(one))];
    return [...shown.map((one) => folder(one, true)), ...others.map((one) => folder(one, false))];
  }

  return { controls, legend, table, folders, ofMany };
})();
