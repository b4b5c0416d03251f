
// A chart as a picture to keep: SVG with the title and what each curve is, in the colours that are shown; PNG of that.
const Picture = (() => {
  const escaped = (text) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const NAMESPACE = (() => {
    const holder = element("div");
    holder.innerHTML = "<svg></svg>";
    return holder.firstChild.namespaceURI;
  })();
  const HEAD = 34;
  const ROW = 20;

  // The curves' lines, bands, bars and marks.
  function drawn(chart, x, y) {
    const { figure, limit } = chart;
    const line = (points) => points.map(([across, along], number) => (
      `${number === 0 ? "M" : "L"}${x(across).toFixed(1)} ${y(along).toFixed(1)}`)).join("");
    const path = (points, stroke, width, dash) => (
      `<path d="${line(points)}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-dasharray="${dash.join(" ")}"/>`);
    const parts = [path([...limit.entries()], colourOf("--limit"), 1.6, Look.DASHES.limit)];
    for (const { look, points } of chart.curves) {
      const of = (part) => points.map((point) => [point.x, part(point.figures[figure.id])]).filter(([, value]) => value !== null);
      const [highs, lows] = [of((value) => value.interval?.high ?? null), of((value) => value.interval?.low ?? null)];
      if (highs.length > 1) {
        parts.push(`<path d="${line([...highs, ...lows.reverse()])}Z" fill="${look.colour}" fill-opacity=".17"/>`);
      }
      parts.push(path(of((value) => value.median), look.colour, 2.2, Look.dash(look)));
      const bounds = of((value) => value.bound);
      if (bounds.length > 0) parts.push(path(bounds, look.colour, 1.6, Look.DASHES.bound));
      for (const point of points) {
        const { median, interval } = point.figures[figure.id];
        if (interval) parts.push(path([[point.x, interval.low], [point.x, interval.high]], look.colour, 1.3, []));
        parts.push(Look.svgMark(look, x(point.x), y(median), colourOf("--paper")));
      }
    }
    return parts.join("");
  }

  // Lines and numbers of both axes, and their names.
  function axes({ plotted, figure }, box, x, y) {
    const [across, along] = plotted.axes;
    const [ink, faint] = ["--ink", "--grid"].map(colourOf);
    const text = (left, top, anchor, words) => (
      `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="${ink}">${escaped(String(words))}</text>`);
    const rule = (d) => `<path d="${d}" stroke="${faint}"/>`;
    const bottom = box.top + box.height;
    const parts = across._splits.map((value, number) => (
      rule(`M${x(value)} ${box.top}V${bottom + 5}`) + text(x(value), bottom + 18, "middle", across._values[number] ?? "")));
    parts.push(...along._splits.map((value, number) => (
      rule(`M${box.left - 5} ${y(value)}H${box.left + box.width}`)
      + text(box.left - 8, y(value) + 4, "end", along._values[number] ?? ""))));
    parts.push(text(box.left + box.width / 2, bottom + 40, "middle", across.label));
    parts.push(`<text x="8" y="20" font-size="15" font-weight="600" fill="${ink}">${escaped(figure.title)} `
      + `<tspan font-size="12" font-weight="400">${escaped(figure.unit)}</tspan></text>`);
    return parts.join("");
  }

  // A text in lines of no more than so many characters, as far as its words let it.
  function wrapped(text, most) {
    const lines = [""];
    for (const word of text.split(" ")) {
      if (lines.at(-1) && lines.at(-1).length + 1 + word.length > most) lines.push("");
      lines.push(`${lines.pop()} ${word}`.trim());
    }
    return lines;
  }

  // The lines below the picture: every question, and its curves.
  function legend(curves, width) {
    const wide = Math.floor((width - 16) / 6.5);
    return groupedBy(curves, ({ panel }) => panel.question).flatMap(([question, own]) => [
      ...wrapped(question, wide).map((text) => ({ text })),
      ...own.map(({ look, label, panel }) => ({ look, text: `${label} (${kindOf(panel)}, ${panel.name})` })),
    ]);
  }

  function svg(chart) {
    const { plotted, curves } = chart;
    const [paper, ink] = ["--paper", "--ink"].map(colourOf);
    const box = Object.fromEntries(Object.entries(plotted.bbox).map(([side, size]) => [side, size / uPlot.pxRatio]));
    box.top += HEAD;
    const x = (value) => box.left + plotted.valToPos(value, "x");
    const y = (value) => box.top + plotted.valToPos(value, "y");
    const { width } = plotted;
    const below = HEAD + plotted.height + 8;
    const rows = legend(curves, width);
    const height = below + ROW * rows.length + 8;
    const drawRow = ({ text, look }, number) => {
      const top = below + ROW * number;
      const sample = look ? `<g transform="translate(8 ${top})">${Look.svgSample(look, paper)}</g>` : "";
      return `${sample}<text x="${look ? 60 : 8}" y="${top + 12}" fill="${ink}">${escaped(text)}</text>`;
    };
    return `<svg xmlns="${NAMESPACE}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" `
      + `font-family="system-ui, sans-serif" font-size="12"><rect width="100%" height="100%" fill="${paper}"/>`
      // What reaches beyond the axes is not seen: a picture within the picture.
      + `${axes(chart, box, x, y)}<svg x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" `
      + `viewBox="${box.left} ${box.top} ${box.width} ${box.height}">${drawn(chart, x, y)}</svg>`
      + `${rows.map(drawRow).join("")}</svg>\n`;
  }

  // Two dots a pixel, as papers and slides want them.
  async function png(text) {
    const picture = new Image();
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await picture.decode();
    const canvas = element("canvas", { width: 2 * picture.naturalWidth, height: 2 * picture.naturalHeight });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  }

  return { svg, png };
})();
