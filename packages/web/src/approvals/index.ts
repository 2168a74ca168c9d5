// Parts of approvals for other areas: lists of requests, the steps of a decision, comments, and how long somebody has
// waited.
export { CommentsField } from './review/comments-field.tsx'
export { RequestListTabs } from './review/request-list-tabs.tsx'
export { countersQuery, navigateTo, refetchRequests } from './review/review-queries.ts'
export { Step, type StepState, waitingTimeLabel } from './review/timeline.tsx'
