// What crosses a process boundary: calls, pushes, settings. Each feature declares its own (features.ts).
export * from './authority.ts'
export * from './call.ts'
export type { Authorization } from './calls/authorization.ts'
export type { Comment, CommentThread } from './calls/comments.ts'
export { type DigestTimes, digestTimes } from './calls/digest.ts'
export type { DownloadApplication } from './calls/download-approvals.ts'
export type { DownloadLimit } from './calls/download-limits.ts'
export {
  type ExternalLink,
  externalLinkKind,
  type LinkReason,
  type ListedLink,
  type VisitKind,
} from './calls/external-links.ts'
export type { ItemChange } from './calls/files.ts'
export { itemOfIdStr } from './calls/items.ts'
export { type LinkPolicy, linkRisks } from './calls/link-administration.ts'
export type { LinkApplication } from './calls/link-approvals.ts'
export { linkReportReasons } from './calls/link-reports.ts'
export { MailAddress } from './calls/mail.ts'
export { type SetupStep, setupSteps } from './calls/overview.ts'
export { mostRows, type SheetColumn, sheetColumns } from './calls/people-import.ts'
export { fileOfPreviewKey, formatsOf } from './calls/preview.ts'
export { type RecentAct, recentActs } from './calls/recent.ts'
export type { FactsOfReview, RequestFacts, ReviewState, ReviewWay } from './calls/reviews.ts'
export type { SearchFacets, SearchHighlight, SearchPassage, SearchQuery } from './calls/search.ts'
export type { Tag } from './calls/tags.ts'
export {
  type TogetherMember,
  type TogetherTurn,
  togetherBeginning,
  togetherRoot,
  togetherShapes,
} from './calls/together.ts'
export {
  folderIds,
  folderOfUpload,
  parseMultiFiles,
  UploadConflict,
} from './calls/transfer.ts'
export { itemsOfZip } from './calls/visits.ts'
export {
  type Watermark,
  type WatermarkRule,
  WatermarkShown,
  type WatermarkTemplate,
  type WatermarkTrace,
} from './calls/watermarks.ts'
export { auditKindOf, type CallName, calls } from './calls.ts'
export * from './channel.ts'
export * from './facts.ts'
export { type ContractFeature, feature, join } from './feature.ts'
export * as features from './features.ts'
export * from './fields.ts'
export * from './notices.ts'
export * from './old-channel.ts'
export * from './push.ts'
export type * from './renditions.ts'
export { type PlacedRequest, placeInput } from './request.ts'
export * from './setting.ts'
export * from './settings.ts'
