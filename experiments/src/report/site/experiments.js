
// The list of the experiments: every question once, below it its machines, and what was recorded there.
const Experiments = (() => {
  const ofMany = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

  function box(type, name, value, isChecked, text, hint) {
    const input = element("input", { type, name, value });
    input.checked = isChecked;
    const words = element("span", {}, ...[text].flat(), ...(hint ? [element("small", {}, hint)] : []));
    return element("label", {}, input, words);
  }

  function group(title, ...parts) {
    return element("fieldset", {}, element("legend", {}, title), ...parts);
  }

  // Two buttons that clear or tick all boxes of this name that are listed.
  function noneAndAll(title, name) {
    const button = (words) => element("button", {
      type: "button", name: `${words}-${name}`, "data-boxes": name, "data-tick": words,
      "aria-label": `${words}: ${title}`,
    }, words);
    return element("div", { class: "every" }, button("none"), button("all"));
  }

  function hintOf(panel) {
    const [least, most] = [panel.processors[0], panel.processors.at(-1)];
    const range = least === most ? count(least) : `${count(least)} to ${count(most)}`;
    const methods = new Set(panel.curves.map((curve) => curve.method));
    const named = methods.size > 2 ? `${methods.size} methods` : [...methods].join(", ");
    const depth = panel.folder.facts.find(([name]) => name === "depth");
    return `${panel.game} · P ${range} · ${named} · depth ${depth ? depth[1] : "unknown"}`;
  }

  // Whether every word that is looked for is somewhere in what is known of the panel.
  function isFound(panel, search) {
    const methods = panel.curves.map((curve) => curve.method);
    const known = [panel.question, panel.name, panel.game, kindOf(panel), panel.key, ...methods].join(" ");
    return search.toLowerCase().split(/\s+/).every((word) => known.toLowerCase().includes(word));
  }

  const listed = (state) =>
    PANELS.filter((panel) => !state.games.has(panel.game) && isFound(panel, state.search));

  // The groups of panels by a key, those with the newest record first.
  function newestFirst(panels, keyOf) {
    const later = (last, { folder }) => (folder.started > last ? folder.started : last);
    const newest = (own) => own.reduce(later, "");
    const aged = groupedBy(panels, keyOf).map(([key, own]) => ({ key, own, age: newest(own) }));
    aged.sort((one, other) => (one.age < other.age) - (one.age > other.age));
    return aged.map(({ key, own }) => [key, own]);
  }

  const line = (state) => (panel) => box("checkbox", "panels", panel.key, state.panels.has(panel.key),
    [`${panel.part} `, ...(panel.isSimulated ? [kindTag(panel)] : [])], hintOf(panel));

  const machine = (state) => ([name, panels]) => element("fieldset", { class: "machine" },
    element("legend", {}, name), ...panels.map(line(state)));

  // Open if `opened` says so; where that says nothing, if one looks for something or something is ticked.
  const question = (state, opened) => ([words, panels]) => {
    const ticked = panels.filter((panel) => state.panels.has(panel.key)).length;
    const made = element("details", { "data-question": words },
      element("summary", {}, words, element("small", {}, ` ${ticked} of ${panels.length} ticked`)),
      ...newestFirst(panels, (panel) => panel.folder.machine).map(machine(state)));
    made.open = opened.get(words) ?? (ticked > 0 || state.search.trim() !== "");
    return made;
  };

  // Why nothing is listed, and what to do about it.
  const empty = (state) => (PANELS.every((panel) => state.games.has(panel.game))
    ? "No game is ticked: tick one under “Games”."
    : `No experiment has all the words “${state.search.trim()}”: clear the search.`);

  function list(state, opened) {
    const groups = newestFirst(listed(state), (panel) => panel.question).map(question(state, opened));
    return groups.length > 0 ? groups : [element("p", {}, empty(state))];
  }

  // How much is listed and ticked, in words.
  function told(state) {
    const shown = new Set(listed(state));
    const ticked = PANELS.filter((panel) => state.panels.has(panel.key));
    const unseen = ticked.filter((panel) => !shown.has(panel)).length;
    return `${ofMany(shown.size, "record", "records")} listed, ${count(ticked.length)} ticked`
      + (unseen > 0 ? `, ${count(unseen)} of them not listed` : "");
  }

  function controls(state, opened) {
    const search = element("input", {
      type: "search", name: "search", id: "search", placeholder: "a word, game, machine",
      "aria-controls": "experiments",
    });
    search.value = state.search;
    return group("Experiments",
      element("label", { class: "search" }, element("span", {}, "Search"), search),
      noneAndAll("experiments that are listed", "panels"),
      element("small", { id: "listed", role: "status" }, told(state)),
      element("div", { class: "scroll", id: "experiments" }, ...list(state, opened)));
  }

  function oneOf(named, group) {
    const names = [...new Set(named)];
    return `tick ${names.length > 1 ? "one of " : ""}${names.join(", ")} under “${group}”`;
  }

  // Where nothing is shown: which box to tick.
  function missing(state) {
    const ticked = PANELS.filter((panel) => state.panels.has(panel.key));
    if (ticked.length === 0) return "tick an experiment under “Experiments”";
    const curves = shownPanels(state).flatMap((panel) => panel.curves);
    if (curves.length === 0) return oneOf(ticked.map((panel) => panel.game), "Games");
    const ofMethods = curves.filter((curve) => !state.methods.has(curve.method));
    if (ofMethods.length === 0) return oneOf(curves.map((curve) => curve.method), "Methods");
    if (ofMethods.every((curve) => state.orderings.has(curve.ordering))) {
      return oneOf(ofMethods.map((curve) => curve.ordering), "Move orderings");
    }
    return "tick a position under “Positions”, or choose “all” there";
  }

  return { box, group, noneAndAll, ofMany, controls, list, told, missing };
})();
