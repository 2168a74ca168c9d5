// What crosses a process boundary: calls, pushes, settings. Each feature declares its own (features.ts).
export * from './authority.ts'
export * from './call.ts'
export { type Authorization, AuthorizationResult } from './calls/authorization.ts'
export type { ItemChange } from './calls/files.ts'
export { InterestType } from './calls/follow.ts'
export { itemOfIdStr } from './calls/items.ts'
export { MailAddress } from './calls/mail.ts'
export { type SetupStep, setupSteps } from './calls/overview.ts'
export { mostRows, type SheetColumn, sheetColumns } from './calls/people-import.ts'
export { fileOfPreviewKey } from './calls/preview.ts'
export type { FactsOfReview, ReviewState, ReviewWay } from './calls/reviews.ts'
export { ShareType } from './calls/rights.ts'
export type { SearchFacets, SearchHighlight, SearchPassage, SearchQuery } from './calls/search.ts'
export {
  folderIds,
  folderOfUpload,
  parseMultiFiles,
  UploadConflict,
} from './calls/transfer.ts'
export { auditKindOf, type CallName, calls } from './calls.ts'
export * from './channel.ts'
export * from './facts.ts'
export { type ContractFeature, feature, join } from './feature.ts'
export * as features from './features.ts'
export * from './fields.ts'
export * from './notices.ts'
export * from './push.ts'
export type * from './renditions.ts'
export { type PlacedRequest, placeInput } from './request.ts'
export * from './setting.ts'
export * from './settings.ts'
