// The changes of a merge request and what threads on its overview show of them, in one file.
export { ApproveWithPassword } from './approve-with-password.tsx'
export { goToThread, RequestDiff } from './changes.tsx'
export { Suggestions } from './suggestions.tsx'
export { ThreadCode } from './thread-code.tsx'
