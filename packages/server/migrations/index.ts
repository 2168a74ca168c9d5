// The migrations in order. A number is never reused, and a released migration is never edited.
import type { Migration } from 'kysely/migration'
import * as spine from './0001-spine.ts'
import * as search from './0002-search.ts'
import * as uploads from './0003-uploads.ts'
import * as upkeep from './0004-upkeep.ts'
import * as rows from './0007-rows.ts'
import * as inserts from './0008-inserts.ts'
import * as withheld from './0009-withheld.ts'
import * as invalidated from './0010-invalidated.ts'
import * as changedChildren from './0011-changed-children.ts'
import * as editLocks from './0012-edit-locks.ts'
import * as blockSums from './0013-block-sums.ts'
import * as outsiders from './0014-outsiders.ts'
import * as jobs from './0015-jobs.ts'
import * as people from './0016-people.ts'
import * as settings from './0017-settings.ts'
import * as notices from './0018-notices.ts'
import * as lockSessions from './0019-lock-sessions.ts'
import * as diskTimes from './0020-disk-times.ts'
import * as follows from './0021-follows.ts'
import * as auditChain from './0022-audit-chain.ts'
import * as roles from './0023-roles.ts'
import * as passwordAge from './0024-password-age.ts'
import * as digests from './0028-digests.ts'
import * as presence from './0029-presence.ts'
import * as capabilities from './0031-capabilities.ts'
import * as ownSettings from './0034-own-settings.ts'
import * as libraries from './0037-libraries.ts'
import * as rightsChanges from './0040-rights-changes.ts'
import * as memberChanges from './0041-member-changes.ts'
import * as reviews from './0043-reviews.ts'
import * as renditions from './0046-renditions.ts'
import * as versions from './0047-versions.ts'
import * as scans from './0048-scans.ts'
import * as comments from './0049-comments.ts'
import * as tags from './0050-tags.ts'
import * as atHand from './0051-at-hand.ts'
import * as searchDocuments from './0052-search-documents.ts'
import * as folderLimits from './0053-folder-limits.ts'
import * as commentWords from './0057-comment-words.ts'
import * as externalLinks from './0058-external-links.ts'
import * as linkPolicies from './0066-link-policies.ts'
import * as downloadLimits from './0067-download-limits.ts'
import * as watermarks from './0068-watermarks.ts'
import * as sharedEdits from './0074-shared-edits.ts'
import * as editWaits from './0075-edit-waits.ts'
import * as pagesByOffice from './0077-pages-by-office.ts'
import * as linkApplications from './0083-link-applications.ts'
import * as linkApplicationsTold from './0090-link-applications-told.ts'
import * as groupWords from './0093-group-words.ts'
import * as commonFields from './0097-common-fields.ts'
import * as linksOpenedFromManyPlaces from './0102-links-opened-from-many-places.ts'
import * as commonFieldsReplayed from './0103-common-fields-replayed.ts'
import * as commentWordsOfTwo from './0106-comment-words.ts'
import * as linksByMail from './0113-links-by-mail.ts'
import * as invisibleMarks from './0114-invisible-marks.ts'
import * as together from './0116-together.ts'
import * as keptLimitsAndMarks from './0146-kept-limits-and-marks.ts'
import * as wrongCodesOfVisitors from './0150-wrong-codes-of-visitors.ts'
import * as goneItems from './0162-gone-items.ts'
import * as firstPages from './0163-first-pages.ts'
import * as sizesSearched from './0167-sizes-searched.ts'
import * as visitorsEdit from './0171-visitors-edit.ts'
import * as moreDownloads from './0177-more-downloads.ts'
import * as wordsToWhoBrings from './0182-words-to-who-brings.ts'
import * as pagesAndLengths from './0183-pages-and-lengths.ts'
import * as linksReported from './0185-links-reported.ts'
import * as visitorsPrint from './0186-visitors-print.ts'
import * as workbooksBuiltTogether from './0188-workbooks-built-together.ts'
import * as turnsOfConversions from './0193-usage-of-conversions.ts'
import * as sensitiveContent from './0203-sensitive-content.ts'
import * as workflows from './0208-workflows.ts'
import * as urges from './0214-urges.ts'
import * as talk from './0220-talk.ts'
import * as signInProviders from './0227-sign-in-providers.ts'
import * as operationApplications from './0242-operation-applications.ts'
import * as urgeLists from './0248-urge-lists.ts'
import * as talkAdministration from './0251-talk-administration.ts'
import * as passkeys from './0254-passkeys.ts'
import * as signing from './0260-signing.ts'
import * as ownWatermarks from './0261-own-watermarks.ts'
import * as workCalendar from './0265-work-calendar.ts'
import * as remindersWaiting from './0266-reminders-waiting.ts'
import * as devicesAndPrograms from './0270-devices-and-programs.ts'
import * as talkSearchMarks from './0277-talk-search-marks.ts'
import * as talkUploads from './0278-talk-uploads.ts'
import * as mailExchange from './0279-mail-exchange.ts'
import * as outsideSigners from './0283-outside-signers.ts'
import * as linkedServers from './0288-linked-servers.ts'
import * as exchange from './0293-exchange.ts'
import * as clients from './0298-clients.ts'
import * as webdav from './0303-webdav.ts'
import * as webhooks from './0317-webhooks.ts'
import * as serverCopies from './0319-server-copies.ts'
import * as legalHolds from './0320-legal-holds.ts'
import * as retentionRules from './0321-retention-rules.ts'
import * as itemHistory from './0322-item-history.ts'
import * as mailInAndOut from './0327-mail-in-and-out.ts'
import * as signingRoles from './0330-signing-roles-and-stand-ins.ts'
import * as signingCertificates from './0331-signing-certificates.ts'
import * as provisioning from './0334-provisioning.ts'
import * as historyClock from './0341-history-clock.ts'
import * as powerProposals from './0342-power-proposals.ts'
import * as announcements from './0343-announcements.ts'
import * as signInMapping from './0345-sign-in-mapping.ts'
import * as liveMailboxes from './0347-live-mailboxes.ts'
import * as contentsOfEndedSignings from './0348-contents-of-ended-signings.ts'
import * as uninspected from './0349-uninspected.ts'
import * as waysOfDownloads from './0351-ways-of-downloads.ts'
import * as secondDecisions from './0352-second-decisions.ts'
import * as endedProcesses from './0353-ended-processes.ts'
import * as talkPictures from './0354-talk-pictures.ts'
import * as reviewStandIns from './0355-review-stand-ins.ts'
import * as pushSubscriptions from './0357-push-subscriptions.ts'
import * as simplifiedNamesAndPdfs from './0358-simplified-names-and-pdfs.ts'
import * as identitiesByName from './0359-identities-by-name.ts'
import * as processesFoundByPerson from './0364-processes-found-by-person.ts'
import * as removedProcesses from './0365-removed-processes.ts'
import * as oldTalkPictures from './0366-old-talk-pictures.ts'
import * as mailAliases from './0367-mail-aliases.ts'
import * as factorPhones from './0368-factor-phones.ts'
import * as renditionOfPages from './0370-rendition-of-pages.ts'
import * as searchRebuild from './0375-search-rebuild.ts'
import * as serverAuthorities from './0379-server-authorities.ts'
import * as originsOfCopies from './0380-origins-of-copies.ts'
import * as offlineMarks from './0381-offline-marks.ts'
import * as driveLimitNotices from './0382-drive-limit-notices.ts'
import * as ownProofs from './0383-own-proofs.ts'

export const migrations: Record<string, Migration> = {
  '0001-spine': spine,
  '0002-search': search,
  '0003-uploads': uploads,
  '0004-upkeep': upkeep,
  '0007-rows': rows,
  '0008-inserts': inserts,
  '0009-withheld': withheld,
  '0010-invalidated': invalidated,
  '0011-changed-children': changedChildren,
  '0012-edit-locks': editLocks,
  '0013-block-sums': blockSums,
  '0014-outsiders': outsiders,
  '0015-jobs': jobs,
  '0016-people': people,
  '0017-settings': settings,
  '0018-notices': notices,
  '0019-lock-sessions': lockSessions,
  '0020-disk-times': diskTimes,
  '0021-follows': follows,
  '0022-audit-chain': auditChain,
  '0023-roles': roles,
  '0024-password-age': passwordAge,
  '0028-digests': digests,
  '0029-presence': presence,
  '0031-capabilities': capabilities,
  '0034-own-settings': ownSettings,
  '0037-libraries': libraries,
  '0040-rights-changes': rightsChanges,
  '0041-member-changes': memberChanges,
  '0043-reviews': reviews,
  '0046-renditions': renditions,
  '0047-versions': versions,
  '0048-scans': scans,
  '0049-comments': comments,
  '0050-tags': tags,
  '0051-at-hand': atHand,
  '0052-search-documents': searchDocuments,
  '0053-folder-limits': folderLimits,
  '0057-comment-words': commentWords,
  '0058-external-links': externalLinks,
  '0066-link-policies': linkPolicies,
  '0067-download-limits': downloadLimits,
  '0068-watermarks': watermarks,
  '0074-shared-edits': sharedEdits,
  '0075-edit-waits': editWaits,
  '0077-pages-by-office': pagesByOffice,
  '0083-link-applications': linkApplications,
  '0090-link-applications-told': linkApplicationsTold,
  '0093-group-words': groupWords,
  '0097-common-fields': commonFields,
  '0102-links-opened-from-many-places': linksOpenedFromManyPlaces,
  '0103-common-fields-replayed': commonFieldsReplayed,
  '0106-comment-words': commentWordsOfTwo,
  '0113-links-by-mail': linksByMail,
  '0114-invisible-marks': invisibleMarks,
  '0116-together': together,
  '0146-kept-limits-and-marks': keptLimitsAndMarks,
  '0150-wrong-codes-of-visitors': wrongCodesOfVisitors,
  '0162-gone-items': goneItems,
  '0163-first-pages': firstPages,
  '0167-sizes-searched': sizesSearched,
  '0171-visitors-edit': visitorsEdit,
  '0177-more-downloads': moreDownloads,
  '0182-words-to-who-brings': wordsToWhoBrings,
  '0183-pages-and-lengths': pagesAndLengths,
  '0185-links-reported': linksReported,
  '0186-visitors-print': visitorsPrint,
  '0188-workbooks-built-together': workbooksBuiltTogether,
  '0193-usage-of-conversions': turnsOfConversions,
  '0203-sensitive-content': sensitiveContent,
  '0208-workflows': workflows,
  '0214-urges': urges,
  '0220-talk': talk,
  '0227-sign-in-providers': signInProviders,
  '0242-operation-applications': operationApplications,
  '0248-urge-lists': urgeLists,
  '0251-talk-administration': talkAdministration,
  '0254-passkeys': passkeys,
  '0260-signing': signing,
  '0261-own-watermarks': ownWatermarks,
  '0265-work-calendar': workCalendar,
  '0266-reminders-waiting': remindersWaiting,
  '0270-devices-and-programs': devicesAndPrograms,
  '0277-talk-search-marks': talkSearchMarks,
  '0278-talk-uploads': talkUploads,
  '0279-mail-exchange': mailExchange,
  '0283-outside-signers': outsideSigners,
  '0288-linked-servers': linkedServers,
  '0293-exchange': exchange,
  '0298-clients': clients,
  '0303-webdav': webdav,
  '0317-webhooks': webhooks,
  '0319-server-copies': serverCopies,
  '0320-legal-holds': legalHolds,
  '0321-retention-rules': retentionRules,
  '0322-item-history': itemHistory,
  '0327-mail-in-and-out': mailInAndOut,
  '0330-signing-roles-and-stand-ins': signingRoles,
  '0331-signing-certificates': signingCertificates,
  '0334-provisioning': provisioning,
  '0341-history-clock': historyClock,
  '0342-power-proposals': powerProposals,
  '0343-announcements': announcements,
  '0345-sign-in-mapping': signInMapping,
  '0347-live-mailboxes': liveMailboxes,
  '0348-contents-of-ended-signings': contentsOfEndedSignings,
  '0349-uninspected': uninspected,
  '0351-ways-of-downloads': waysOfDownloads,
  '0352-second-decisions': secondDecisions,
  '0353-ended-processes': endedProcesses,
  '0354-talk-pictures': talkPictures,
  '0355-review-stand-ins': reviewStandIns,
  '0357-push-subscriptions': pushSubscriptions,
  '0358-simplified-names-and-pdfs': simplifiedNamesAndPdfs,
  '0359-identities-by-name': identitiesByName,
  '0364-processes-found-by-person': processesFoundByPerson,
  '0365-removed-processes': removedProcesses,
  '0366-old-talk-pictures': oldTalkPictures,
  '0367-mail-aliases': mailAliases,
  '0368-factor-phones': factorPhones,
  '0370-rendition-of-pages': renditionOfPages,
  '0375-search-rebuild': searchRebuild,
  '0379-server-authorities': serverAuthorities,
  '0380-origins-of-copies': originsOfCopies,
  '0381-offline-marks': offlineMarks,
  '0382-drive-limit-notices': driveLimitNotices,
  '0383-own-proofs': ownProofs,
}
