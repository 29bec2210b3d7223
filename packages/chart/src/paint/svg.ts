import type { Mark, Size } from '../scene.ts';
import { hasKnownWidth, textWidth } from '../text/text-width.ts';
import { fontFamily, runs } from './canvas.ts';

/**
 * The same marks as an SVG document, without a DOM.
 * @param options.isForElsewhere whether viewers may lack the font. Latin texts keep the width of their
 * layout, so that a wider font does not make them overlap
 * @see https://www.w3.org/TR/SVG2/text.html#TextElementTextLengthAttribute
 */
export function paintSvg(
  marks: readonly Mark[],
  size: Size,
  title: string,
  options: { readonly isForElsewhere?: boolean } = {},
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" font-family="${escape(fontFamily)}"><title>${escape(title)}</title>${elements(marks, options.isForElsewhere ?? false)}</svg>`;
}

/** Marks as SVG elements, moved by (x, y). */
export function paintGroup(marks: readonly Mark[], x = 0, y = 0): string {
  const inner = elements(marks, false);
  return x === 0 && y === 0 ? inner : `<g transform="translate(${r(x)} ${r(y)})">${inner}</g>`;
}

function elements(marks: readonly Mark[], isForElsewhere: boolean): string {
  return marks.map(mark => element(mark, isForElsewhere)).join('');
}

function element(mark: Mark, isForElsewhere: boolean): string {
  const opacity =
    'opacity' in mark && mark.opacity !== undefined && mark.opacity < 1 ? ` opacity="${mark.opacity}"` : '';
  switch (mark.kind) {
    case 'rects': {
      let d = '';
      for (let i = 0; i < mark.xywh.length; i += 4)
        d += `M${r(mark.xywh[i]!)} ${r(mark.xywh[i + 1]!)}h${r(mark.xywh[i + 2]!)}v${r(mark.xywh[i + 3]!)}h${r(-mark.xywh[i + 2]!)}z`;
      return d && `<path d="${d}" fill="${mark.fill}"${opacity}/>`;
    }
    case 'line': {
      let d = '';
      let isDown = false;
      for (let i = 0; i < mark.xy.length; i += 2) {
        if (Number.isNaN(mark.xy[i + 1]!)) isDown = false;
        else {
          d += `${isDown ? 'L' : 'M'}${r(mark.xy[i]!)} ${r(mark.xy[i + 1]!)}`;
          isDown = true;
        }
      }
      return (
        d &&
        `<path d="${d}" fill="none" stroke="${mark.stroke}" stroke-width="${mark.width}" stroke-linejoin="round"${mark.dash ? ` stroke-dasharray="${mark.dash.join(' ')}"` : ''}${opacity}/>`
      );
    }
    case 'area': {
      const d = runs(mark.xyy).map(([from, below]) => {
        const positions = Array.from({ length: below - from }, (_, i) => from + i);
        const upper = positions.map(i => `${r(mark.xyy[i * 3]!)} ${r(mark.xyy[i * 3 + 2]!)}`);
        const lower = positions.toReversed().map(i => `${r(mark.xyy[i * 3]!)} ${r(mark.xyy[i * 3 + 1]!)}`);
        return `M${[...upper, ...lower].join('L')}z`;
      });
      return d.length > 0 ? `<path d="${d.join('')}" fill="${mark.fill}"${opacity}/>` : '';
    }
    case 'circles': {
      let d = '';
      const { radius } = mark;
      for (let i = 0; i < mark.xy.length; i += 2)
        d += `M${r(mark.xy[i]! - radius)} ${r(mark.xy[i + 1]!)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
      return d && `<path d="${d}" fill="${mark.fill}"${opacity}/>`;
    }
    case 'path':
      return (
        mark.d &&
        `<path d="${rounded(mark.d)}" fill="${mark.fill ?? 'none'}"${mark.stroke ? ` stroke="${mark.stroke}" stroke-width="${r(mark.width ?? 1)}" stroke-linejoin="round"` : ''}${opacity}/>`
      );
    case 'image':
      return `<image x="${r(mark.x)}" y="${r(mark.y)}" width="${r(mark.width)}" height="${r(mark.height)}" preserveAspectRatio="xMidYMid meet" href="${escape(mark.address)}"/>`;
    case 'group':
      if (mark.marks.length === 0) return '';
      // A nested document clips its content, and needs no unique name for a clip path.
      if (mark.clip)
        return `<svg x="${r(mark.x)}" y="${r(mark.y)}" width="${r(mark.clip.width)}" height="${r(mark.clip.height)}" overflow="hidden">${elements(mark.marks, isForElsewhere)}</svg>`;
      return `<g transform="translate(${r(mark.x)} ${r(mark.y)})">${elements(mark.marks, isForElsewhere)}</g>`;
    case 'text':
      return `<text x="${r(mark.x)}" y="${r(mark.y)}"${mark.angle === undefined ? '' : ` transform="rotate(${mark.angle} ${r(mark.x)} ${r(mark.y)})"`} font-size="${mark.size}"${mark.weight ? ` font-weight="${mark.weight}"` : ''} fill="${mark.fill}" text-anchor="${{ left: 'start', center: 'middle', right: 'end' }[mark.align]}"${isForElsewhere && hasKnownWidth(mark.text) ? ` lengthAdjust="spacingAndGlyphs" textLength="${r(textWidth(mark.text, mark.size, mark.weight))}"` : ''}>${escape(mark.text)}</text>`;
  }
}

/** The library's paths have fifteen digits; a hundredth of a pixel is enough. */
function rounded(d: string): string {
  return d.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, number => r(Number(number)));
}

function r(value: number): string {
  return String(Math.round(value * 100) / 100);
}

// oxlint-disable-next-line no-control-regex -- XML may not hold them, however they are written
const forbiddenInXml = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/**
 * Leaves out the characters that XML may not hold: its readers stop there
 * (https://www.w3.org/TR/xml/#charsets).
 */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(forbiddenInXml, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
