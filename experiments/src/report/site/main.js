
// Draws what is chosen, and again when something else is.
const state = {};
const charts = FIGURES.map((figure) => new Chart(figure));
const byId = (id) => document.getElementById(id);
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  const isDark = state.theme === "dark" || (state.theme === "system" && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  byId("theme").value = state.theme;
}

function headline(curves) {
  if (curves.length === 0) return `Nothing is shown: ${Experiments.missing(state)}.`;
  const shown = new Set(curves.map((curve) => curve.panel));
  const methods = [...new Set(curves.map((curve) => curve.method))];
  const which = { large: "the large positions", all: "all positions" }[state.positions] || "the chosen positions";
  const named = methods.length > 3 ? `${methods.length} methods` : methods.join(", ");
  const kinds = new Set([...shown].map((panel) => panel.isSimulated));
  const solid = "solid curves with filled marks are real runs on threads";
  const dashed = "dashed curves with hollow marks are SIMULATED, in virtual time, and optimistic";
  const lines = [...(kinds.has(false) ? [solid] : []), ...(kinds.has(true) ? [dashed] : [])].join("; ");
  const disturbed = [...shown].filter((panel) => panel.folder.disturbed);
  const told = disturbed.map((panel) => `${panel.name} (${panel.folder.disturbed})`).join("; ");
  return `How many times as fast as the fastest serial search the parallel search is on P processors, and where the rest of ` +
    `P is lost: medians over ${which} with 95% intervals, ${named}, ` +
    `${Experiments.ofMany(shown.size, "experiment", "experiments")}. ` +
    `${lines[0].toUpperCase()}${lines.slice(1)}.` + (told ? ` DISTURBED: ${told}.` : "");
}

// The pictures and all that is beside them; not the controls, which would lose the focus.
function draw() {
  applyTheme();
  const curves = curvesOf(state);
  Look.assign(curves);
  byId("headline").textContent = headline(curves);
  byId("legend").replaceChildren(...Lists.legend(curves));
  charts.forEach((chart) => chart.show(curves, state.positions));
  byId("table").querySelector(".wide").replaceChildren(Lists.table(curves));
}

// The controls, with the focus and the scrolling where they were, and the questions open that were.
function drawControls() {
  const form = byId("controls");
  const opened = new Map([...form.querySelectorAll("details")].map((one) => [one.dataset.question, one.open]));
  const focused = document.activeElement?.name ? [document.activeElement.name, document.activeElement.value] : null;
  const scrolled = [...form.querySelectorAll(".scroll")].map((list) => list.scrollTop);
  form.replaceChildren(...Lists.controls(state, opened));
  form.querySelectorAll(".scroll").forEach((list, number) => { list.scrollTop = scrolled[number] || 0; });
  if (focused) [...form.elements].find((one) => one.name === focused[0] && one.value === focused[1])?.focus();
  byId("folders").replaceChildren(...Lists.folders(state));
}

function toggle(set, value, isIn) {
  if (isIn) set.add(value);
  else set.delete(value);
}

function apply({ name, value, checked }) {
  if (name === "panels") toggle(state.panels, value, checked);
  if (name === "games") toggle(state.games, value, !checked);
  if (name === "methods") toggle(state.methods, value, !checked);
  if (name === "orderings") toggle(state.orderings, value, !checked);
  if (name === "at") toggle(state.positions, value, checked);
  if (name === "positions") state.positions = value === "some" ? new Set(firstPlace()) : value;
}

function redraw() {
  State.write(state);
  drawControls();
  draw();
}

function choose({ target }) {
  if (target.name === "search") return;
  apply(target);
  redraw();
}

// Clears or ticks all the boxes that are listed, where a button asks for it.
function chooseAll({ target: { dataset } }) {
  if (!dataset.boxes) return;
  const boxes = [...byId("controls").elements].filter((one) => one.name === dataset.boxes);
  boxes.forEach(({ name, value }) => apply({ name, value, checked: dataset.tick === "all" }));
  redraw();
}

// Lists what has the words that are looked for.
function lookFor({ target: { name, value } }) {
  if (name !== "search") return;
  state.search = value;
  byId("experiments").replaceChildren(...Experiments.list(state, new Map()));
  byId("listed").textContent = Experiments.told(state);
}

// The largest position of what is shown, to begin with.
function firstPlace() {
  const places = shownPanels(state).flatMap((panel) => panel.positions);
  return places.sort((one, other) => other.nodes - one.nodes).slice(0, 1).map((place) => place.key);
}

function start() {
  Object.assign(state, State.read());
  draw();
  byId("controls").replaceChildren();
  drawControls();
  for (const list of byId("controls").querySelectorAll(".scroll")) {
    const first = list.querySelector(":checked");
    const place = first?.closest("[data-question]") ?? first?.parentElement;
    if (place) list.scrollTop = place.offsetTop - list.offsetTop - 4;
  }
}

byId("charts").append(...charts.map((chart) => chart.root));
byId("controls").addEventListener("change", choose);
byId("controls").addEventListener("click", chooseAll);
byId("controls").addEventListener("input", lookFor);
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("theme").addEventListener("change", ({ target }) => {
  state.theme = target.value;
  State.write(state);
  draw();
});
systemIsDark.addEventListener("change", draw);
addEventListener("hashchange", start);
start();
// In a narrow window the filters are in the way, unless there is nothing else.
if (matchMedia("(max-width: 60rem)").matches) {
  document.querySelector("aside details").open = curvesOf(state).length === 0;
}
