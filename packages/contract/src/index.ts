// Everything that crosses a process boundary: calls, pushes, settings. Each feature declares its own (features.ts).

export type {
  ApplicationItem,
  DownloadMethod,
  OperationApplication,
  OperationApplicationDetail,
} from './approvals/applications.ts'
export type { Authorization } from './approvals/authorization.ts'
export type { DownloadApplication } from './approvals/downloads.ts'
export type { OperationRule } from './approvals/operation-rules.ts'
export type { FactsOfReview, RequestFacts, ReviewProgress, ReviewState } from './approvals/review.ts'
export { type ApproverKind, approverKinds } from './approvals/review.ts'
export {
  type FactsOfSensitive,
  type RuleFault,
  type SensitiveCounts,
  type SensitiveFile,
  type SensitiveHit,
  type SensitiveLogCounts,
  type SensitiveLogEntry,
  type SensitivePassage,
  type SensitiveRule,
  type SensitiveRuleInput,
  type SensitiveRun,
  type SensitiveState,
  sensitiveStates,
  type TriedRule,
  type UninspectedReason,
  uninspectedReasons,
} from './approvals/sensitive.ts'
export {
  type FactsOfUrge,
  type Urge,
  type UrgeDetail,
  type UrgeMessage,
  type UrgeReceiver,
  UrgeState,
} from './approvals/urging.ts'
export { type AuditDetail, type AuditField } from './audit-words.ts'
export * from './authority.ts'
export * from './call.ts'
export { auditKindOf, type CallAnswer, type CallInput, type CallName, calls, callsByName } from './calls.ts'
export * from './channel.ts'
export { MailAddress } from './core/mail.ts'
export type * from './documents/renditions.ts'
export type { Comment, CommentThread } from './drive/comments.ts'
export type { DownloadLimit } from './drive/downloads.ts'
export type { ItemChange } from './drive/files.ts'
export { itemOfIdStr } from './drive/items.ts'
export { type RecentAct, recentActs } from './drive/recent.ts'
export { type AccessKind, accessKinds } from './drive/rights-report.ts'
export { type RollbackKind, type RollbackSkip, rollbackKinds, rollbackSkips } from './drive/rollback.ts'
export type { Tag } from './drive/tags.ts'
export {
  folderIds,
  folderOfUpload,
  parseMultiFiles,
  UploadConflict,
} from './drive/transfer.ts'
export {
  AppliedWatermark,
  type Watermark,
  type WatermarkRule,
  type WatermarkTemplate,
  type WatermarkTrace,
} from './drive/watermarks.ts'
export {
  type CoeditMember,
  type CoeditRebase,
  coeditBase,
  coeditCodecs,
  coeditRoot,
} from './editing/coedit.ts'
export {
  type BundleProblem,
  bundleProblems,
  type ImportedBundle,
  type SentBundle,
  type WaitingExchange,
} from './exchange/bundles.ts'
export {
  type ExchangeFile,
  type ExchangeReceiver,
  type ExchangeTarget,
  exchangedItems,
  type FactsOfReceived,
  type FileExchange,
  type FileExchangeDetail,
} from './exchange/exchanges.ts'
export type { ExchangeNetwork, ExchangeRule } from './exchange/rules.ts'
export * from './facts.ts'
export { type ContractFeature, feature, join, pushesOf } from './feature.ts'
export { type FeatureSwitch, featureSwitches } from './feature-switches.ts'
export * as features from './features.ts'
export * from './fields.ts'
export * from './legacy-channel.ts'
export { type CheckStep, type Mailbox, type MailboxState, type MailFacts } from './mail/mailboxes.ts'
export {
  type ListedMail,
  type MailAttachment,
  type MailDetail,
  type MailFolder,
  type MailPerson,
  type MailRole,
  type Meeting,
  mailRoles,
} from './mail/mails.ts'
export { mailUndoMs, maxMailBytes, type OutgoingMail, type OutgoingState } from './mail/outgoing-mails.ts'
export * from './notices.ts'
export { AccessRule } from './people/access-rules.ts'
export { type DigestTimes, digestTimes } from './people/digest.ts'
export { maxImportRows, type SheetColumn, sheetColumns } from './people/import.ts'
export { programScopes } from './people/programs.ts'
export type {
  LdapSettings,
  MappingRule,
  OAuthSettings,
  OidcSettings,
  ProviderSettings,
  SamlSettings,
  ScimSettings,
} from './people/providers.ts'
export { scimPath } from './people/provisioning.ts'
export * from './push.ts'
export { captchaDueHeader, type Fields, type PlacedRequest, placeInput } from './request.ts'
export type { SampleIds } from './sample.ts'
export type { SearchFacets, SearchHighlight, SearchPassage, SearchQuery } from './search/items.ts'
export { type ServerCopyState, serverCopyStates } from './servers/copies.ts'
export {
  type ServerCause,
  type ServerState,
  serverCauses,
  serverStates,
} from './servers/links.ts'
export { signedFields, unsignedSample } from './servers/message.ts'
export * from './setting.ts'
export * from './settings.ts'
export { type LinkPolicy, linkRisks } from './sharing/link-administration.ts'
export {
  type ExternalLink,
  externalLinkKind,
  type LinkReason,
  type ListedLink,
  type VisitKind,
} from './sharing/links.ts'
export { itemsOfZip } from './sharing/visits.ts'
export {
  type FactsOfSigning,
  type SignActivity,
  type SignatureCheck,
  type SignDetail,
  type Signer,
  SigningState,
} from './signing/activities.ts'
export { type SignCertificate } from './signing/certificates.ts'
export { type SignFromEmail, type SignInvitation } from './signing/from-email.ts'
export { type Seal, type Signature } from './signing/signatures.ts'
export { certificateFaults, type ServerCertificate } from './system/addresses.ts'
export { type AnnouncementKind, announcementKinds } from './system/announcements.ts'
export { Licence } from './system/licence.ts'
export { type SetupStep, setupSteps } from './system/overview.ts'
export {
  type ConversationAction,
  conversationKind,
  type FactsOfConversation,
  type TalkChat,
  type TalkData,
  type TalkEntry,
  type TalkMessage,
} from './talk/fields.ts'
export { fileOfPreviewKey, formatsOf, keyOfReviewed, type PreviewedVersion } from './viewing/preview.ts'
export {
  type FactsOfProcess,
  type ProcessDetail,
  type ProcessEntry,
  type ProcessList,
  type ProcessRow,
  type ProcessStateName,
  processLists,
} from './workflow/processes.ts'
export type { TemplateBody } from './workflow/template-fields.ts'
export type { AdministeredTemplate, ProcessTemplate, WorkflowRoadStep } from './workflow/templates.ts'
