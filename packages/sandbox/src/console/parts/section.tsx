import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';

export type SectionProps = Readonly<{
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
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {about === undefined ? null : <p class="about">{about}</p>}
      {children}
    </section>
  );
}

export type PageHeadProps = Readonly<{
  title: ComponentChildren;
  /** For the title of the window. */
  name: string;
  about?: ComponentChildren;
  actions?: ComponentChildren;
}>;

export function PageHead({ title, name, about, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${name} · Bursar sandbox`;
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
