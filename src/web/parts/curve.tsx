import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useTexts } from '../shell/reader.tsx';
import type { CurvePoint } from '../words/curve.ts';

type CurveProps = Readonly<{
  title: string;
  /** The content of the picture, in a sentence. */
  about: string;
  points: readonly CurvePoint[];
  /** The height of zero, where the curve may be below it. */
  zero?: number;
  /** Whether the curve is bad news. */
  isShort?: boolean;
  /** The first and the last moment. */
  ends: readonly [ComponentChildren, ComponentChildren];
  /** The numbers, as a table. */
  children: ComponentChildren;
}>;

const SIZE = 1_000;

/** A curve over time. Its sentence and its table have the same numbers for those who do not see it. */
export function Curve({ title, about, points, zero = 0, isShort, ends, children }: CurveProps) {
  const t = useTexts();
  const id = useId();
  const line = points.map(({ x, y }) => `${x},${SIZE - y}`).join(' ');
  const [first, last] = [points[0], points.at(-1)];
  const ground = SIZE - zero;
  const area = `${first?.x ?? 0},${ground} ${line} ${last?.x ?? 0},${ground}`;
  return (
    <figure class={isShort ? 'curve is-short' : 'curve'}>
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title ${id}-about`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-about`}>{about}</desc>
        <polygon class="curve-area" points={area} />
        <line class="curve-zero" x1="0" x2={SIZE} y1={ground} y2={ground} />
        <polyline class="curve-line" points={line} />
      </svg>
      <p class="curve-ends">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
      <p class="fine">{about}</p>
      <details>
        <summary>{t.charts.table}</summary>
        {children}
      </details>
    </figure>
  );
}
