/** Where Temporal's web UI is, and which namespace it shows. */
export type WebUi = Readonly<{ uiUrl: string; namespace: string }>;

const namespacePage = ({ uiUrl, namespace }: WebUi): string =>
  `${uiUrl}/namespaces/${encodeURIComponent(namespace)}`;

/** The page of a workflow. */
export const workflowPage = (ui: WebUi, workflowId: string): string =>
  `${namespacePage(ui)}/workflows/${encodeURIComponent(workflowId)}`;

/** The list of the workflows that a list filter finds. With a name, the web UI keeps it as a view of the reader. */
export const workflowListPage = (ui: WebUi, query: string, savedAs?: string): string => {
  const saved = savedAs === undefined ? '' : `&savedQuery=${encodeURIComponent(savedAs)}`;
  return `${namespacePage(ui)}/workflows?query=${encodeURIComponent(query)}${saved}`;
};

/** The list of all schedules. */
export const schedulesPage = (ui: WebUi): string => `${namespacePage(ui)}/schedules`;
