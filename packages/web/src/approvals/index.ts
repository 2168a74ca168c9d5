// Parts of approvals for other areas: lists of requests, the steps of a decision, and how long somebody has waited.
export { RequestListTabs } from './review/request-list-tabs.tsx'
export { refetchRequests } from './review/review-queries.ts'
export { Step, type StepState, waitingTimeLabel } from './review/timeline.tsx'
