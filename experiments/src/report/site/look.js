
// What a curve is known by: a colour, a mark, and whether it is simulated.
const Look = (() => {
  // Okabe and Ito's colours, lightened in the dark where they would drown.
  const COLOURS = {
    light: ["#0072b2", "#d55e00", "#009e73", "#b3568a", "#c98500", "#3c9bd1", "#111111"],
    dark: ["#4aa8e8", "#f0803c", "#22c79a", "#dd93bb", "#e9b03a", "#8fd0f5", "#f2f2f2"],
  };

  // A disc, a square, triangles, a diamond, a cross, a pentagon, a plus; about one unit around the origin.
  const SHAPES = [
    "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
    "M-.88-.88H.88V.88H-.88Z",
    "M0-1.15L1.1.85H-1.1Z",
    "M0-1.25L1.15 0L0 1.25L-1.15 0Z",
    "M0 1.15L1.1-.85H-1.1Z",
    "M-1.05-.55L-.55-1.05L0-.5L.55-1.05L1.05-.55L.5 0L1.05 .55L.55 1.05L0 .5L-.55 1.05L-1.05 .55L-.5 0Z",
    "M0-1.15L1.1-.35L.68.95H-.68L-1.1-.35Z",
    "M-.38-1.15H.38V-.38H1.15V.38H.38V1.15H-.38V.38H-1.15V-.38H-.38Z",
  ];
  const PATHS = SHAPES.map((shape) => new Path2D(shape));

  // In CSS pixels; simulated curves are dashed, guarantees dotted, the limit has long dashes.
  const DASHES = { real: [], simulated: [9, 5], bound: [1.5, 4], limit: [14, 8] };
  const RADIUS = 4.6;

  const taken = new Map();

  const COLOUR_COUNT = COLOURS.light.length;

  // Gives every curve a place among the looks, which it keeps while it is shown: its method's where no other curve has
  // it, or one behind those of all methods, in a colour of its own as long as there are any.
  function assign(curves) {
    const keys = new Set(curves.map((curve) => curve.key));
    for (const key of [...taken.keys()].filter((key) => !keys.has(key))) taken.delete(key);
    for (const { key, method } of curves.filter((curve) => !taken.has(curve.key))) {
      const others = new Set(taken.values());
      let place = DATA.methods.indexOf(method);
      if (place < 0 || others.has(place)) place = freePlace(others);
      taken.set(key, place);
    }
  }

  function freePlace(others) {
    const colours = new Set([...others].map((place) => place % COLOUR_COUNT));
    const isFree = (place) => !others.has(place) && (colours.size >= COLOUR_COUNT || !colours.has(place % COLOUR_COUNT));
    let place = Math.max(DATA.methods.length, COLOUR_COUNT);
    while (!isFree(place)) place += 1;
    return place;
  }

  function of(curve) {
    const place = taken.get(curve.key);
    const colours = COLOURS[document.documentElement.dataset.theme];
    const colour = colours[place % COLOUR_COUNT];
    // Seven colours and eight marks: no two of the first 56 are alike.
    return { colour, mark: place % SHAPES.length, isSimulated: curve.panel.isSimulated };
  }

  const dash = (look) => (look.isSimulated ? DASHES.simulated : DASHES.real);

  // A mark on a canvas; hollow where it is simulated.
  function drawMark(context, look, x, y, scale, paper) {
    context.save();
    context.translate(x, y);
    context.scale(RADIUS * scale, RADIUS * scale);
    context.lineWidth = 0.42;
    context.lineJoin = "round";
    context.setLineDash([]);
    context.strokeStyle = look.colour;
    context.fillStyle = look.isSimulated ? paper : look.colour;
    context.fill(PATHS[look.mark]);
    context.stroke(PATHS[look.mark]);
    context.restore();
  }

  // The same in SVG.
  const svgMark = (look, x, y, paper) => `<path d="${SHAPES[look.mark]}" ` +
    `transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${RADIUS})" ` +
    `fill="${look.isSimulated ? paper : look.colour}" stroke="${look.colour}" stroke-width=".4"/>`;

  // A line with a mark, 44 wide and 16 high.
  const svgSample = (look, paper) => `<path d="M1 8H43" stroke="${look.colour}" stroke-width="2.2" ` +
    `stroke-dasharray="${dash(look).join(" ")}" fill="none"/>${svgMark(look, 22, 8, paper)}`;

  // The same for a legend.
  const sample = (look) => `<svg class="sample" viewBox="0 0 44 16" aria-hidden="true">` +
    `${svgSample(look, "var(--paper)")}</svg>`;

  const line = (dashes) => `<svg class="sample" viewBox="0 0 44 16" aria-hidden="true"><path d="M1 8H43" ` +
    `stroke="currentColor" stroke-width="1.8" stroke-dasharray="${dashes.join(" ")}" fill="none"/></svg>`;

  return { assign, of, dash, drawMark, svgMark, svgSample, sample, line, DASHES };
})();
