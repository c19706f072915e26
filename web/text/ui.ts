/** Texts of the components that all pages use. */
export const ui = {
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  done: 'Done',
  copy: 'Copy',
  copyThing: (thing: string) => `Copy ${thing}`,
  unexpectedStatus: (status: number) =>
    `The server returned an unexpected response (status ${status}). Try again later.`,
  total: (total: string) => `${total} in total`,
  previousPage: 'Previous',
  nextRow: 'Next item',
  otherAccount: (name: string) =>
    `You are now signed in as ${name} in this browser. Nothing was changed: check this page and try again.`,
  notFound: 'Not found. It may have been deleted, or you no longer have access.',
  offline: 'The server cannot be reached. Check your connection and try again.',
  nextPage: 'Next',
  pageNumber: (number: number) => `Page ${number}`,
  pages: 'Pagination',
  previousRow: 'Previous item',
  requestId: 'Request ID:',
  tryAgain: 'Try again',
  typeConfirmationFirst: 'Type the confirmation text first',
  typeToConfirm: (words: string) => `Type ${words} to confirm`,
  unauthorized: 'You are signed out, or you do not have permission to do this.',
  undo: 'Undo',
  signs: { more: '⋯', opens: '▾', react: '☺+', remove: '×' },
}
