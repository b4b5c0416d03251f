
// The picture of one figure: uPlot draws lines, bands and axes; marks, bars and what is said of a point are ours.
const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

class Chart {
  constructor(figure) {
    this.figure = figure;
    this.tip = element("div", { class: "tip", hidden: "" });
    this.ring = element("div", { class: "ring", hidden: "" });
    this.plot = element("div", {
      class: "plot", tabindex: "0", role: "group", "aria-roledescription": "chart", id: `plot-${figure.id}`,
    });
    this.downloads = ["CSV", "SVG", "PNG"].map((kind) => {
      const what = kind === "CSV" ? "figures" : "picture";
      const label = `Download the ${what} of ${figure.title} as ${kind}`;
      const button = element("button", { type: "button", id: `${kind.toLowerCase()}-${figure.id}`, "aria-label": label }, kind);
      button.addEventListener("click", () => this.save(kind));
      return button;
    });
    const title = element("h2", {}, figure.title, element("small", {}, figure.unit));
    this.root = element("section", { class: "chart", "aria-label": figure.title },
      element("div", { class: "head" }, title, element("span", { class: "kept" }, ...this.downloads)), this.plot);
    this.plot.addEventListener("keydown", (event) => this.step(event));
    this.plot.addEventListener("blur", () => this.leave());
    new ResizeObserver(() => this.fit()).observe(this.plot);
  }

  // Draws these curves anew. `positions` is the choice that they are of.
  show(curves, positions) {
    [this.all, this.positions] = [curves, positions];
    const known = (curve) => curve.points.filter((point) => point.figures[this.figure.id] !== null);
    this.curves = curves.map((curve) => ({ ...curve, look: Look.of(curve), points: known(curve) }))
      .filter((curve) => curve.points.length > 0);
    this.leave();
    this.chosen = null;
    if (this.plotted) this.plotted.destroy();
    this.plotted = null;
    const isEmpty = this.curves.length === 0;
    this.plot.classList.toggle("empty", isEmpty);
    for (const button of this.downloads) button.disabled = isEmpty;
    this.plot.setAttribute("aria-label", isEmpty ? `${this.figure.title}: nothing to draw`
      : `${this.figure.title} against processors, ${this.curves.length} curves; arrow keys go from point to point`);
    if (isEmpty) return;
    this.place();
    this.plotted = new uPlot(this.options(), this.data(), this.plot);
    this.plotted.over.append(this.ring, this.tip);
  }

  size() {
    const width = Math.max(this.plot.clientWidth, 200);
    return { width, height: Math.round(Math.min(Math.max(0.62 * width, 260), 400)) };
  }

  fit() {
    if (!this.plotted || this.plotted.width === this.size().width) return;
    this.leave();
    this.plotted.setSize(this.size());
  }

  // Where every point is on the horizontal axis: with few numbers of processors the curves stand side by side.
  place() {
    const processors = this.curves.flatMap((curve) => curve.points.map((point) => point.processors));
    const [first, last] = [Math.min(...processors), Math.max(...processors)];
    const octaves = Math.log2(last / first);
    const [widest, all] = octaves === 0 ? [0.1, 0.7] : octaves <= 3 ? [0.04, 0.16] : [0, 0];
    const step = Math.min(widest, all / this.curves.length);
    this.curves.forEach((curve, number) => {
      const aside = 2 ** (step * (number - (this.curves.length - 1) / 2));
      for (const point of curve.points) point.x = point.processors * aside;
    });
    const margin = 2 ** (octaves === 0 ? 0.5 : Math.max(0.04 * octaves, 0.16) + (step * this.curves.length) / 2);
    this.across = [first / margin, last * margin];
    this.ticks = [...new Set(processors)].sort((one, other) => one - other);
    this.limit = this.ends(2 ** (step * (this.curves.length / 2)));
  }

  // The corners of the line without loss: straight, or level over all curves that stand side by side at a number of
  // processors, lest one seems closer to it for standing further left.
  ends(aside) {
    const [left, right] = this.across;
    const of = this.figure.limit;
    if (aside === 1) return new Map(this.across.map((place) => [place, of(place)]));
    const level = this.ticks.flatMap((tick) => [[tick / aside, of(tick)], [tick * aside, of(tick)]]);
    return new Map([[left, level[0][1]], ...level, [right, level.at(-1)[1]]]);
  }

  // The lower and upper ends of the vertical axis.
  along() {
    const { id, isLog, limit } = this.figure;
    const values = this.curves.flatMap((curve) => curve.points.flatMap((point) => {
      const { median, interval, bound } = point.figures[id];
      return [median, ...(interval ? [interval.low, interval.high] : []), ...(bound === null ? [] : [bound])];
    }));
    if (isLog) {
      return [Math.min(1, ...values) / 2 ** 0.1, Math.max(2, ...values) * 2 ** 0.25];
    }
    const [low, high] = [Math.min(0, ...values), Math.max(0.01, limit(1), ...values)];
    return [low < 0 ? low - 0.06 * (high - low) : 0, high + 0.06 * (high - low)];
  }

  // Aligned columns, as uPlot wants them: for every curve its median, the ends of its interval, its guarantee.
  data() {
    const { id } = this.figure;
    const places = new Set([...this.limit.keys(), ...this.curves.flatMap((curve) => curve.points.map((point) => point.x))]);
    const x = [...places].sort((one, other) => one - other);
    const column = (curve, part) => {
      const at = new Map(curve.points.map((point) => [point.x, part(point.figures[id])]));
      return x.map((place) => at.get(place) ?? null);
    };
    const ends = x.map((place) => this.limit.get(place) ?? null);
    return [x, ends, ...this.curves.flatMap((curve) => [
      column(curve, (value) => value.median),
      column(curve, (value) => value.interval?.high ?? null),
      column(curve, (value) => value.interval?.low ?? null),
      column(curve, (value) => value.bound),
    ])];
  }

  options() {
    const [paper, ink, faint] = ["--paper", "--ink", "--grid"].map(colourOf);
    const plain = { spanGaps: true, points: { show: false } };
    const lines = ({ look }) => [
      { ...plain, stroke: look.colour, width: 2.2, dash: Look.dash(look) },
      { ...plain, stroke: "transparent", width: 0 },
      { ...plain, stroke: "transparent", width: 0 },
      { ...plain, stroke: look.colour, width: 1.6, dash: Look.DASHES.bound, cap: "round" },
    ];
    const axis = { stroke: ink, font: "12px system-ui", labelFont: "12px system-ui", labelSize: 18 };
    const [grid, ticks] = [{ stroke: faint, width: 1 }, { stroke: faint, width: 1, size: 5 }];
    const isLog = this.figure.isLog;
    const onPower = isLog ? { splits: (plot, number, low, high) => powers(low, high), filter: (plot, all) => all } : {};
    return {
      ...this.size(),
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      scales: {
        x: { time: false, distr: 3, log: 2, range: () => this.across },
        y: { distr: isLog ? 3 : 1, log: 2, range: () => this.along() },
      },
      axes: [
        { ...axis, grid, ticks, size: 34, label: "P: threads, or virtual processors", filter: (plot, all) => all,
          splits: (plot) => sparse(this.ticks, plot.bbox.width / uPlot.pxRatio, this.across),
          values: (plot, all) => all.map(count) },
        { ...axis, grid, ticks, size: (plot, labels) => 18 + 7 * Math.max(3, ...(labels || []).map((label) => label.length)), values: (plot, all) => all.map(isLog ? short : wholePercent), ...onPower },
      ],
      series: [{}, { ...plain, stroke: colourOf("--limit"), width: 1.6, dash: Look.DASHES.limit },
        ...this.curves.flatMap(lines)],
      bands: this.curves.map(({ look }, number) => (
        { series: [3 + 4 * number, 4 + 4 * number], fill: `${look.colour}2b` })),
      hooks: { draw: [(plot) => this.mark(plot, paper)], setCursor: [(plot) => this.hover(plot)] },
    };
  }

  // Bars from end to end of the intervals, and a mark at every point.
  mark(plot, paper) {
    const { ctx: context } = plot;
    const scale = uPlot.pxRatio;
    const at = (value, axis) => plot.valToPos(value, axis, true);
    context.save();
    for (const { look, points } of this.curves) {
      for (const { x, figures } of points) {
        const { median, interval } = figures[this.figure.id];
        if (interval) {
          context.strokeStyle = look.colour;
          context.lineWidth = 1.3 * scale;
          context.setLineDash([]);
          context.beginPath();
          context.moveTo(at(x, "x"), at(interval.low, "y"));
          context.lineTo(at(x, "x"), at(interval.high, "y"));
          context.stroke();
        }
        Look.drawMark(context, look, at(x, "x"), at(median, "y"), scale, paper);
      }
    }
    context.restore();
  }

  spot(curve, point) {
    const value = point.figures[this.figure.id];
    return [this.plotted.valToPos(point.x, "x"), this.plotted.valToPos(value.median, "y")];
  }

  hover(plot) {
    const { left, top } = plot.cursor;
    // Further away than this nothing is pointed at; left of everything the mouse is elsewhere.
    let nearest = { distance: 28 };
    for (const curve of left >= 0 ? this.curves : []) {
      for (const point of curve.points) {
        const [x, y] = this.spot(curve, point);
        const distance = Math.hypot(x - left, y - top);
        if (distance < nearest.distance) nearest = { distance, curve, point };
      }
    }
    if (nearest.curve) this.say(nearest.curve, nearest.point);
    else if (document.activeElement !== this.plot) this.leave();
  }

  // Left and right go along a curve, up and down to the next one.
  step(event) {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === "Escape") this.leave();
    if (!(event.key in moves) || this.curves.length === 0) return;
    event.preventDefault();
    const [down, right] = this.chosen === null ? [0, 0] : moves[event.key];
    const within = (number, end) => Math.min(Math.max(number, 0), end - 1);
    const [c, p] = this.chosen || [0, 0];
    const curve = this.curves[within(c + down, this.curves.length)];
    const processors = this.curves[c].points[p].processors;
    const same = curve.points.findIndex((point) => point.processors >= processors);
    const from = down === 0 ? p : same < 0 ? curve.points.length - 1 : same;
    this.chosen = [this.curves.indexOf(curve), within(from + right, curve.points.length)];
    const point = curve.points[this.chosen[1]];
    this.say(curve, point);
    document.getElementById("spoken").textContent = this.tip.innerText;
  }

  // What a point stands for.
  say(curve, point) {
    const { figure, tip, ring } = this;
    const { median, interval, bound } = point.figures[figure.id];
    const [x, y] = this.spot(curve, point);
    const row = (part, name, text) => element("div", { class: "row" }, element("span", {}, name),
      element("b", { "data-part": part }, text));
    const { panel } = curve;
    const spread = interval ? `${figure.show(interval.low)} .. ${figure.show(interval.high)}` : "none below 6 positions";
    const sample = element("span");
    sample.innerHTML = Look.sample(curve.look);
    tip.replaceChildren(
      element("div", { class: "name" }, sample, element("b", { "data-part": "curve" }, curve.label), kindTag(panel)),
      element("div", { class: "from", "data-part": "question" }, panel.question),
      element("div", { class: "from", "data-part": "record" }, panel.name),
      row("processors", panel.isSimulated ? "virtual processors" : "threads", count(point.processors)),
      row("value", figure.title.toLowerCase(), figure.show(median)),
      row("interval", "95% interval", spread),
      ...(bound === null ? [] : [row("bound", GREEDY_GUARANTEE, figure.show(bound))]),
      row("positions", "median of positions", count(curve.positions)),
    );
    ring.style.color = curve.look.colour;
    ring.style.transform = `translate(${x}px, ${y}px)`;
    tip.hidden = false;
    ring.hidden = false;
    const { clientWidth: width, clientHeight: height } = this.plotted.over;
    // Below the point, over the axis if need be; above it where that is too low.
    const [wide, high, gap] = [tip.offsetWidth, tip.offsetHeight, 16];
    const under = y + gap + high <= height + 60 ? y + gap : y - gap - high;
    tip.style.left = `${Math.max(Math.min(x - wide / 2, width - wide), -50)}px`;
    tip.style.top = `${under}px`;
  }

  leave() {
    this.tip.hidden = true;
    this.ring.hidden = true;
  }

  async save(kind) {
    const makers = {
      CSV: () => new Blob([csvOf(this.figure, this.all, this.positions)], { type: "text/csv" }),
      SVG: () => new Blob([Picture.svg(this)], { type: "image/svg+xml" }),
      PNG: () => Picture.png(Picture.svg(this)),
    };
    const address = URL.createObjectURL(await makers[kind]());
    element("a", { href: address, download: `starsplit-${this.figure.id}.${kind.toLowerCase()}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}

function kindTag(panel) {
  return element("span", { class: panel.isSimulated ? "tag simulated" : "tag", "data-part": "kind" }, kindOf(panel));
}

const short = (number) => (number >= 1 ? count(number) : String(number));
const wholePercent = (number) => `${count(Number((100 * number).toFixed(2)))}%`;

// Powers of two; quarters between them where there are few.
function powers(low, high) {
  const parts = Math.log2(high / low) > 3 ? [1] : [1, 1.25, 1.5, 1.75];
  const found = [];
  for (let power = 2 ** Math.floor(Math.log2(low)); power <= high; power *= 2) {
    found.push(...parts.map((part) => part * power).filter((tick) => tick >= low && tick <= high));
  }
  return found;
}

// As many of the ticks as have room, the last one among them.
function sparse(ticks, width, [first, last]) {
  const room = 38;
  const place = (tick) => (width * Math.log2(tick / first)) / Math.log2(last / first);
  const kept = [];
  for (const tick of [...ticks].reverse()) {
    if (kept.length === 0 || place(kept[0]) - place(tick) >= room) kept.unshift(tick);
  }
  return kept;
}
