
// The lists beside the pictures: what else can be chosen, the legend, the table of figures, the folders.
const Lists = (() => {
  const { box, group, noneAndAll, ofMany } = Experiments;

  // Games, or methods or orderings of what is shown; `left` are those that are left out. A single one needs no
  // choice, unless it is left out.
  function kinds(title, name, found, left, least) {
    const sorted = [...found];
    if (sorted.length < least && !sorted.some((kind) => left.has(kind))) return [];
    const boxes = sorted.map((kind) => box("checkbox", name, kind, !left.has(kind), kind));
    return [group(title, ...(sorted.length > 1 ? [noneAndAll(title, name)] : []), ...boxes)];
  }

  function positions(state, panels) {
    const found = new Map(panels.flatMap((panel) => panel.positions.map((place) => [place.key, place])));
    const byPlace = (one, other) => parseInt(one.key, 10) - parseInt(other.key, 10) || (one.key < other.key ? -1 : 1);
    const places = [...found.values()].sort(byPlace);
    const isSome = typeof state.positions !== "string";
    const single = ({ key, nodes }) => box("checkbox", "at", key, isSome && state.positions.has(key),
      element("code", {}, key), `${count(nodes)} nodes`);
    const list = element("div", { class: "scroll", id: "places" }, ...places.map(single));
    const several = element("div", {}, noneAndAll("single positions", "at"), list);
    several.hidden = !isSome;
    return group("Positions",
      box("radio", "positions", "large", state.positions === "large", "the large ones",
        `from ${count(DATA.min_nodes)} nodes of the serial search on; all where none is large`),
      box("radio", "positions", "all", state.positions === "all", "all"),
      box("radio", "positions", "some", isSome, "single ones"), several);
  }

  function controls(state, opened) {
    const panels = shownPanels(state);
    const curves = panels.flatMap((panel) => panel.curves);
    const present = new Set(curves.map((curve) => curve.method));
    const orderings = new Set(curves.map((curve) => curve.ordering));
    return [
      ...kinds("Games", "games", new Set(PANELS.map((panel) => panel.game)), state.games, 2),
      Experiments.controls(state, opened),
      ...kinds("Methods", "methods", DATA.methods.filter((method) => present.has(method)), state.methods, 1),
      ...kinds("Move orderings", "orderings", orderings, state.orderings, 2),
      positions(state, panels),
    ];
  }

  const byQuestion = (curves) => groupedBy(curves, (curve) => curve.panel.question);

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
      const made = element("span", { class: "line" });
      made.innerHTML = Look.line(dashes);
      made.append(element("span", {}, text));
      return made;
    };
    const hasBound = curves.some((curve) => curve.points.some((point) => point.figures.speedup?.bound != null));
    const question = ([words, own]) => [element("li", { class: "question" }, words), ...own.map(item)];
    return curves.length === 0 ? [] : [...byQuestion(curves).flatMap(question),
      element("li", { class: "lines" }, line(Look.DASHES.limit, "linear limit: nothing lost"),
        ...(hasBound ? [line(Look.DASHES.bound, GREEDY_GUARANTEE)] : []))];
  }

  function table(curves) {
    const cell = (figure, value) => {
      if (value === null) return "-";
      const spread = value.interval ? ` [${figure.show(value.interval.low)} .. ${figure.show(value.interval.high)}]` : "";
      return figure.show(value.median) + spread;
    };
    const names = ["record", "kind", "method", "P", "positions",
      ...FIGURES.map((figure) => figure.title.toLowerCase()), GREEDY_GUARANTEE];
    const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
    const rows = (curve) => curve.points.map((point) => element("tr", {},
      ...[curve.panel.name, kindOf(curve.panel), curve.label, count(point.processors), count(curve.positions),
        ...FIGURES.map((figure) => cell(figure, point.figures[figure.id])),
        point.figures.speedup?.bound == null ? "-" : times(point.figures.speedup.bound)]
        .map((text) => element("td", {}, text))));
    const body = ([question, own]) => element("tbody", {}, element("tr", {},
      element("th", { scope: "rowgroup", colspan: names.length }, question)), ...own.flatMap(rows));
    const caption = element("caption", {}, "Medians over the chosen positions, in brackets their 95% intervals.");
    return element("table", {}, caption, element("thead", {}, head), ...byQuestion(curves).map(body));
  }

  function folder({ name, machine, part, game, simulated, command, facts, lacks, disturbed, panels }, isOpen) {
    const row = (title, value) => [element("dt", {}, title), element("dd", {}, value)];
    const ofPanel = (panel) => {
      const large = panel.positions.filter(([, , nodes]) => nodes >= DATA.min_nodes).length;
      const among = panel.baselines === 1 ? "the only one searched" : `the fastest of ${panel.baselines}`;
      const charges = simulated ? `${panel.costs}: ${panel.charges}. ` : "";
      return row(simulated ? `costs ${costsOf(panel.costs)}` : "real time",
        `${charges}${panel.positions.length} of ${panel.recorded} recorded positions count, ` +
        `${large} of them are large. Baseline: the serial search with ordering ${panel.baseline}, ${among}. ` +
        `${panel.values_equal ? "All values are equal." : "Searches with wrong values are LEFT OUT."}`);
    };
    const made = element("details", isOpen ? { open: "" } : {},
      element("summary", {}, `${machine}${part ? `: ${part}` : ""} `, kindTag({ isSimulated: simulated }),
        lacks ? ` INCOMPLETE: ${lacks}` : "", disturbed ? ` (${disturbed})` : ""),
      element("dl", {}, ...row("folder", element("code", {}, name)), ...row("game", game),
        ...row("command", element("code", {}, command)),
        ...facts.flatMap(([title, value]) => row(title, value)), ...panels.flatMap(ofPanel)));
    return made;
  }

  // By question. What is shown comes first.
  function folders(state) {
    const shown = new Set(shownPanels(state).map((panel) => panel.folder));
    const isSecond = (one) => (shown.has(one) ? 0 : 1);
    const sorted = [...DATA.folders].sort((one, other) => isSecond(one) - isSecond(other));
    return groupedBy(sorted, questionOf).flatMap(([question, own]) => [
      element("h3", {}, question), ...own.map((one) => folder(one, shown.has(one)))]);
  }

  return { controls, legend, table, folders };
})();
