import type { ComponentChildren } from 'preact';

export type FactsProps = Readonly<{
  facts: readonly (readonly [string, ComponentChildren])[];
  /** For long values. */
  isWide?: boolean;
}>;

/** Names with their values. */
export const Facts = ({ facts, isWide = false }: FactsProps) => (
  <dl class={isWide ? 'facts wide' : 'facts'}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
