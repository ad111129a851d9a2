import { PageHead } from '../parts/section.tsx';

export const NotFoundPage = () => (
  <>
    <PageHead title="Nothing is here" name="Nothing is here" />
    <p class="empty">
      The address of this page has a mistake. <a href="#/payouts">Go to the payouts.</a>
    </p>
  </>
);
