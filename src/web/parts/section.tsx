import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';

type SectionProps = Readonly<{
  title: string;
  about?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}>;

export function Section({ title, about, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {about === undefined ? null : <p class="about">{about}</p>}
      {children}
    </section>
  );
}

type PageHeadProps = Readonly<{
  title: ComponentChildren;
  /** For the title of the window. */
  name: string;
  about?: ComponentChildren;
  actions?: ComponentChildren;
}>;

export function PageHead({ title, name, about, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${name} · Bursar`;
  }, [name]);
  return (
    <header class="page-head">
      <div class="page-title">
        <h1>{title}</h1>
        {about === undefined ? null : <p class="about">{about}</p>}
      </div>
      {actions === undefined ? null : <div class="actions">{actions}</div>}
    </header>
  );
}

type FactsProps = Readonly<{
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
