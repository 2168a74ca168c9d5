// Parts of approvals for other areas: the steps of a decision, and how long somebody has waited.
export { Step, type StepState, waitingTimeLabel } from './review/timeline.tsx'
