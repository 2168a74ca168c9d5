/*
 * The texts of digest mails: these are written without a page to render the notices. A notice whose push has no line in
 * this file is described by its group, so a new push is not omitted.
 */
import { type NoticeGroup, type NoticeName, type PushPayload, pushes, pushNames } from '@cloudoc/contract'
import {
  ApplyState,
  AuthorizationResult,
  formatItemIdStr,
  formatSize,
  type Locale,
  OperateType,
  ShareType,
} from '@cloudoc/domain'

/** One notice in a mail. */
export interface Line {
  readonly text: string
  /** The target of its link. */
  readonly path: string
}

type Line1<N extends NoticeName> = (payload: PushPayload<N>, locale: Locale) => Line

const pathOf = (fType: 1 | 2, fId: number): string =>
  `/doc/folder/files?${new URLSearchParams({ itemIdStr: formatItemIdStr({ serverId: 0, fType, fId }) }).toString()}`

const did: Readonly<Record<Locale, Partial<Record<number, string>>>> = {
  zh: {
    [OperateType.add]: '上传了',
    [OperateType.edit]: '编辑了',
    [OperateType.delete]: '删除了',
    [OperateType.restore]: '还原了',
    [OperateType.copy]: '复制了',
    [OperateType.move]: '移动了',
    [OperateType.rename]: '重命名为',
    [OperateType.rights]: '修改了权限：',
    [OperateType.download]: '下载了',
  },
  en: {
    [OperateType.add]: 'added',
    [OperateType.edit]: 'edited',
    [OperateType.delete]: 'deleted',
    [OperateType.restore]: 'restored',
    [OperateType.copy]: 'made the copy',
    [OperateType.move]: 'moved',
    [OperateType.rename]: 'renamed it to',
    [OperateType.rights]: 'changed the permissions of',
    [OperateType.download]: 'downloaded',
  },
}
const changed = { zh: '更改了', en: 'changed' } as const

const shared = {
  [ShareType.given]: { zh: (name: string) => `给了你${name}的权限`, en: (name: string) => `shared ${name} with you` },
  [ShareType.reduced]: {
    zh: (name: string) => `减少了你对${name}的权限`,
    en: (name: string) => `reduced your access to ${name}`,
  },
  [ShareType.cancelled]: {
    zh: (name: string) => `取消了你对${name}的权限`,
    en: (name: string) => `removed your access to ${name}`,
  },
} as const

const asked = {
  first: { zh: (name: string) => `申请“${name}”的权限`, en: (name: string) => `asks for access to “${name}”` },
  again: {
    zh: (name: string) => `对“${name}”的权限申请还在等你处理`,
    en: (name: string) => `still waits for your answer about access to “${name}”`,
  },
} as const

const replied = {
  [AuthorizationResult.approved]: {
    zh: (name: string) => `你对“${name}”的申请已同意`,
    en: (name: string) => `Your request for “${name}” was approved`,
  },
  [AuthorizationResult.rejected]: {
    zh: (name: string) => `你对“${name}”的申请被拒绝`,
    en: (name: string) => `Your request for “${name}” was rejected`,
  },
  [AuthorizationResult.late]: {
    zh: (name: string) => `你对“${name}”的申请已到期限，还没有人处理`,
    en: (name: string) => `Your request for “${name}” has not been decided in time`,
  },
} as const

const moreDownloads = {
  reminder: {
    zh: (count: number) => `申请今天再下载 ${count} 次，还在等你审批`,
    en: (count: number) => `still waits for your answer about ${count} more downloads today`,
  },
  [ApplyState.pending]: {
    zh: (count: number) => `申请今天再下载 ${count} 次`,
    en: (count: number) => `asks for ${count} more downloads today`,
  },
  [ApplyState.approved]: {
    zh: (count: number) => `今天可以再下载 ${count} 次`,
    en: (count: number) => `You may download ${count} more files today`,
  },
  [ApplyState.rejected]: {
    zh: (count: number) => `你申请的 ${count} 次下载被拒绝`,
    en: (count: number) => `Your request for ${count} more downloads was refused`,
  },
  [ApplyState.over]: {
    zh: (count: number) => `多给你的 ${count} 次下载已被收回`,
    en: (count: number) => `Your ${count} more downloads were taken back`,
  },
} as const

const applied = {
  reminder: {
    zh: (name: string) => `申请的“${name}”外链还在等你审批`,
    en: (name: string) => `still waits for your answer about a link to “${name}”`,
  },
  late: {
    zh: (name: string) => `你为“${name}”申请的外链已到期限，还没有人审批`,
    en: (name: string) => `Your request for a link to “${name}” has not been decided in time`,
  },
  [ApplyState.pending]: {
    zh: (name: string) => `申请“${name}”的外链`,
    en: (name: string) => `asks for a link to “${name}”`,
  },
  [ApplyState.approved]: {
    zh: (name: string) => `“${name}”的外链已通过审批`,
    en: (name: string) => `The link to “${name}” is approved`,
  },
  [ApplyState.rejected]: {
    zh: (name: string) => `“${name}”的外链没有通过审批`,
    en: (name: string) => `The link to “${name}” was refused`,
  },
  [ApplyState.over]: {
    zh: (name: string) => `“${name}”的外链审批被撤销`,
    en: (name: string) => `The approval of the link to “${name}” was taken back`,
  },
} as const

const visited = {
  open: { zh: (name: string) => `打开了“${name}”的外链`, en: (name: string) => `opened the link to “${name}”` },
  upload: {
    zh: (name: string) => `通过外链向“${name}”上传了文件`,
    en: (name: string) => `brought a file to “${name}” by a link`,
  },
  edit: {
    zh: (name: string) => `通过外链改了“${name}”里的内容`,
    en: (name: string) => `changed something in “${name}” by a link`,
  },
  guessed: {
    zh: (name: string) => `有人连续输错“${name}”外链的密码`,
    en: (name: string) => `Somebody guesses at the password of the link to “${name}”`,
  },
  guessedWidely: {
    zh: (name: string) => `“${name}”外链的密码在一小时内从多个网络地址输错十次`,
    en: (name: string) =>
      `The password of the link to “${name}” was entered wrong ten times within an hour, from several addresses`,
  },
  spread: {
    zh: (name: string) => `“${name}”的外链在一小时内从十个不同的网络地址打开`,
    en: (name: string) => `The link to “${name}” was opened from ten network addresses within an hour`,
  },
  reported: {
    zh: (name: string) => `有访客举报了“${name}”的外链`,
    en: (name: string) => `A visitor reported the link to “${name}”`,
  },
  ended: {
    zh: (name: string) => `管理员取消了“${name}”的外链`,
    en: (name: string) => `An administrator ended the link to “${name}”`,
  },
} as const

const lines: { readonly [N in NoticeName]?: Line1<N> } = {
  followChange: ({ operatorName, operateType, fName, fType, fId, parentFolderId }, locale) => ({
    text: `${operatorName} ${did[locale][operateType] ?? changed[locale]} “${fName}”`,
    path: operateType === OperateType.delete ? pathOf(2, parentFolderId) : pathOf(fType, fId),
  }),
  shareRemind: ({ operatorName, docName, shareType, fileId, folderId, message = '' }, locale) => ({
    text: `${operatorName} ${shared[shareType][locale](`“${docName}”`)}${message === '' ? '' : ` · ${message}`}`,
    path: shareType === ShareType.cancelled ? listPath : pathOf(fileId === 0 ? 2 : 1, fileId === 0 ? folderId : fileId),
  }),
  authorizationApply: ({ userName, fName, authorizationId, reminder }, locale) => ({
    text: `${userName} ${asked[reminder ? 'again' : 'first'][locale](fName)}`,
    path: `/doc/folder/share/auth-review?authorizationId=${authorizationId}`,
  }),
  authorizationReply: ({ fName, result, fType, fId }, locale) => {
    const isGiven = result === AuthorizationResult.approved
    return {
      text: replied[result][locale](fName),
      path: isGiven && fId > 0 ? pathOf(fType, fId) : '/doc/folder/share/auth-creation',
    }
  },
  operateApplication: (
    { nodeState, reminder, late, userName, applicationTitle, applicationId, externalId },
    locale,
  ) => ({
    text: `${nodeState === ApplyState.pending && !late ? `${userName} ` : ''}${applied[
      late ? 'late' : reminder ? 'reminder' : nodeState
    ][locale](applicationTitle)}`,
    path:
      nodeState === ApplyState.pending && !late
        ? `/doc/folder/share/link-review?reviewId=${applicationId}`
        : `/doc/folder/share/link-creation?externalId=${externalId}`,
  }),
  commentRemind: ({ operatorName, fName, fType, fId, comment, mentioned }, locale) => ({
    text:
      locale === 'zh'
        ? `${operatorName} 在“${fName}”${mentioned ? '的评论里提到你' : '里回复你'}：${comment}`
        : `${operatorName} ${mentioned ? 'named you in a comment on' : 'replied to you on'} “${fName}”: ${comment}`,
    path: pathOf(fType, fId),
  }),
  linkVisited: ({ what, visitor, fName, externalId }, locale) => ({
    text: `${what === 'open' || what === 'upload' || what === 'edit' ? `${visitor} ` : ''}${visited[what][locale](fName)}`,
    path: `/doc/folder/share/link-creation?externalId=${externalId}`,
  }),
  linkReported: ({ fName, creatorName }, locale) => ({
    text:
      locale === 'zh'
        ? `有访客举报了${creatorName}的外链“${fName}”`
        : `A visitor reported the link of ${creatorName} to “${fName}”`,
    path: '/doc/admin/links/open?risk=reported',
  }),
  virusFound: ({ fName, fId, virusName }, locale) => ({
    text:
      locale === 'zh'
        ? `“${fName}”中发现病毒（${virusName}），已隔离`
        : `A virus was found in “${fName}” (${virusName}); it is locked away`,
    path: pathOf(1, fId),
  }),
  moreDownloads: ({ nodeState, reminder, userName, count, reviewId }, locale) => {
    const isAsked = nodeState === ApplyState.pending
    return {
      text: `${isAsked ? `${userName} ` : ''}${moreDownloads[reminder ? 'reminder' : nodeState][locale](count)}`,
      path: isAsked
        ? `/doc/folder/share/download-review?reviewId=${reviewId}`
        : `/doc/folder/share/download-application?reviewId=${reviewId}`,
    }
  },
  downloadAudit: ({ accountName, count, limit }, locale) => ({
    text:
      locale === 'zh'
        ? `${accountName} 今天下载了 ${count} 次，限额 ${limit}`
        : `${accountName} has downloaded ${count} of ${limit} files today`,
    path: '/doc/admin/links/limits',
  }),
  personalSpaceLow: ({ percent }, locale) => ({
    text: locale === 'zh' ? `你的空间已用 ${percent}%` : `Your space is nearly full: ${percent}% are used`,
    path: '/doc/folder/recycle',
  }),
  serverSpaceLow: ({ freeSpaceSize }, locale) => ({
    text:
      locale === 'zh'
        ? `服务器空间不足，剩余 ${formatSize(freeSpaceSize)}`
        : `The server is nearly full: ${formatSize(freeSpaceSize)} are left`,
    path: '/doc/admin/libraries/storage',
  }),
  logSpaceLow: ({ restSpaceSize, isArchive }, locale) => ({
    text:
      locale === 'zh'
        ? `${isArchive ? '审计归档' : '日志'}空间不足，剩余 ${formatSize(restSpaceSize)}`
        : `The room for ${isArchive ? 'archives of the log' : 'the log'} is nearly full: ${formatSize(restSpaceSize)} are left`,
    path: '/doc/admin/settings',
  }),
}

const groups: Readonly<Record<NoticeGroup, Readonly<Record<Locale, string>>>> = {
  fileChange: { zh: '文件变更', en: 'A file changed' },
  authorization: { zh: '权限变更', en: 'Your rights changed' },
  workflow: { zh: '审批', en: 'A workflow' },
  reminder: { zh: '催办', en: 'A reminder' },
  email: { zh: '邮件', en: 'An e-mail' },
  audit: { zh: '敏感审核', en: 'A sensitive file' },
  operationApply: { zh: '操作申请', en: 'An application' },
  downloadLimit: { zh: '下载限额', en: 'A download limit' },
  fileExchange: { zh: '文件交换', en: 'A file exchange' },
  fileSign: { zh: '文件签署', en: 'A file to sign' },
  fileSubmit: { zh: '文件提交', en: 'A file was submitted' },
  permissionApply: { zh: '权限申请', en: 'Somebody asks for rights' },
  instantMessage: { zh: '未读消息', en: 'An unread message' },
}

/** The page of all notices. */
export const listPath = '/notify/list'
const names = pushNames(pushes)

/** Returns the line of one notice. */
export function lineOf(
  { pushType, group, payload }: { pushType: number; group: NoticeGroup; payload: object },
  locale: Locale,
): Line {
  const said = lines[names.get(pushType) as NoticeName]
  return said?.(payload as never, locale) ?? { text: groups[group][locale], path: `${listPath}?group=${group}` }
}

/** The texts around the lines. */
export const around = {
  zh: {
    subject: (company: string, n: string) => `${company}：${n} 条通知还没看`,
    intro: (n: string) => `你有 ${n} 条通知还没看：`,
    rest: (n: string) => `还有 ${n} 条`,
    all: '查看全部通知',
    why: '这封邮件按你在“应用设置 › 通知”里的选择发送，可以在那里改或关闭。',
    company: '企业云文档',
  },
  en: {
    subject: (company: string, n: string) => `${company}: ${n} unread ${n === '1' ? 'notice' : 'notices'}`,
    intro: (n: string) =>
      n === '1' ? 'There is a notice you have not seen:' : `There are ${n} notices you have not seen:`,
    rest: (n: string) => `${n} more`,
    all: 'All notices',
    why: 'You get this mail by your choice under App settings › Notices, where you can change it or turn it off.',
    company: 'Cloudoc',
  },
} as const
