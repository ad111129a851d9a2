import { PageHead } from '../parts/section.tsx';

export const NotFoundPage = () => (
  <>
    <PageHead title="Page not found" name="Page not found" />
    <p class="empty">
      The address of this page has a mistake. <a href="#/payouts">Go to the payouts.</a>
    </p>
  </>
);
