// The windows of this area.

import type { ItemRecord } from '@cloudoc/contract'
import { parseItemIdStr } from '@cloudoc/domain'
import { api, mainServer } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { longName, longNames } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import type { Target } from '../items/actions/operations.ts'
import { itemFromQuery } from '../items/item/item-from-query.ts'
import { itemRecord } from '../items/item/item-record.ts'
import type { Sorting } from '../items/lists/folder-list.ts'
import type { Subject } from '../people/index.ts'
import type { Decision } from '../transfer/engine/upload-plan.ts'
import type { PreviewerProps, PreviewerResult } from '../viewing/previewer/previewer.tsx'
import type { WhatIfProps } from './access/what-if.tsx'
import type { CommentWindowProps } from './comments/comments.tsx'
import type { BatchResultProps } from './dialogs/batch-result.tsx'
import type { ConfirmDeleteProps } from './dialogs/confirm-delete.tsx'
import type { FilesSortProps } from './dialogs/files-sort.tsx'
import type { FolderPickProps } from './dialogs/folder-pick.tsx'
import type { ItemPickProps } from './dialogs/item-pick.tsx'
import type { OversizeProps } from './dialogs/oversize.tsx'
import type { UploadConflictProps } from './dialogs/upload-conflict.tsx'
import type { UploadFinishedProps } from './dialogs/upload-finished.tsx'
import type { FollowSomeProps } from './follow/follow-some.tsx'
import type { LiftHoldProps } from './holds/lift-hold.tsx'
import type { PlaceHoldProps } from './holds/place-hold.tsx'
import type { FolderLimitProps } from './property/folder-limit.tsx'
import type { PropertyWindowProps } from './property/property.tsx'
import type { RetentionRuleProps } from './retention/retention-rule.tsx'
import type { ExpiryMomentProps } from './rights/expiry-field.tsx'
import type { PermissionWindowProps } from './rights/permission.tsx'
import type { RightsExplanationProps } from './rights/rights-explanation.tsx'
import type { ShareWindowProps } from './rights/share.tsx'
import type { RollbackProps } from './rollback/rollback-window.tsx'
import type { FileTagProps } from './tags/file-tag.tsx'
import type { LinkedSignInProps } from './tree/linked-sign-in.tsx'

const existingFile = {
  fType: 1,
  fileSize: 1_930_000,
  modifyTime: 1_794_000_000_000,
  version: 7,
  lastOperatorName: '王敏',
  editorName: '',
  sha256: '',
} as const

/**
 * Returns the file that a query names by serverId, fId, fType and itemIdStr ([R063]). If one is missing, or they name
 * different items, the file is id 0, which does not exist.
 */
function fileNamedBy(query: URLSearchParams): { readonly serverId: number; readonly fId: number } {
  const named = parseItemIdStr(query.get('itemIdStr') ?? '')
  const agrees =
    named?.fType === 1 &&
    query.get('serverId') === String(named.serverId) &&
    query.get('fType') === '1' &&
    query.get('fId') === String(named.fId)
  return agrees ? { serverId: named.serverId, fId: named.fId } : { serverId: mainServer.serverId, fId: 0 }
}

/** The folder of the query, with its order. */
async function sortFromQuery(query: URLSearchParams): Promise<FilesSortProps> {
  const { serverId, fId, fName } = await itemFromQuery(query)
  const { sort, order } = await api.of({ serverId }).getFolderInfo2({ folderId: fId })
  return { serverId, fId, folderName: fName, sort, order }
}

export const driveWindows = {
  previewer: win<PreviewerProps, PreviewerResult>({
    title: 'drive.menu.preview',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    transparent: true,
    resizable: false,
    load: () => import('./previewer-window.tsx').then((module) => module.PreviewerWindow),
    fromQuery: (query) => {
      const version = query.get('version')
      const named = fileNamedBy(query)
      // An address that names a version means it, unless it says otherwise.
      if (version === null || query.get('isUseVersion') === 'false') return { fileInfo: named }
      return { fileInfo: { ...named, version: Number(version) }, isUseVersion: true }
    },
    sample: {
      fileInfo: {
        serverId: 0,
        fId: 1,
        fName: '采购框架合同.dwg',
        fileSize: 4_320_000,
        canPreview: true,
        canDownload: true,
        canPrint: true,
      },
    },
  }),
  'cloudoc-linked-sign-in': win<LinkedSignInProps, boolean>({
    title: 'linked.window',
    size: { width: 420, height: 'auto' },
    resizable: false,
    blocking: true,
    load: () => import('./tree/linked-sign-in.tsx').then((module) => module.LinkedSignIn),
    sample: { serverId: 1, ended: false },
  }),
  'drive-batch-result': win<BatchResultProps, boolean>({
    title: 'drive.batch.title',
    size: { width: 520, height: 'auto' },
    resizable: false,
    load: () => import('./dialogs/batch-result.tsx').then((module) => module.BatchResult),
    sample: {
      title: '没有全部移动',
      total: 5,
      rows: [{ fId: 1, fType: 1, name: '华东区渠道合作协议.docx', text: '文件已被锁定' }],
      canRetry: true,
    },
    crowded: () => ({
      title: '没有全部移动',
      total: 300,
      rows: longNames(100).map((name, fId) => ({ fId, fType: 1, name, text: '文件正被其他人使用，暂时不能操作' })),
      canRetry: true,
    }),
  }),
  'drive-confirm-delete': win<ConfirmDeleteProps, boolean>({
    title: 'drive.deleteForGood.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('./dialogs/confirm-delete.tsx').then((module) => module.ConfirmDelete),
    sample: { names: [{ fName: '合同与法务', fType: 2 }] },
    crowded: () => ({ names: longNames(100).map((fName) => ({ fName, fType: 1 })) }),
  }),
  'cloudoc-files-sort': win<FilesSortProps, Sorting>({
    title: 'drive.filesSort.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    fromQuery: sortFromQuery,
    load: () => import('./dialogs/files-sort.tsx').then((module) => module.FilesSort),
    sample: { serverId: 0, fId: 1, folderName: '合同与法务', sort: 'name', order: 'asc' },
    crowded: () => ({ serverId: 0, fId: 1, folderName: longName(), sort: 'name', order: 'asc' }),
  }),
  'drive-follow-some': win<FollowSomeProps, Subject[]>({
    title: ({ kind }) => t(`drive.follow.some.${kind}`),
    size: { width: 520, height: 'auto' },
    load: () => import('./follow/follow-some.tsx').then((module) => module.FollowSome),
    sample: {
      kind: 'change',
      names: ['华东大区'],
      followed: { followedUsers: [{ userId: 1, name: '王敏' }], followedGroups: [{ groupId: 2, name: '市场中心' }] },
    },
    crowded: () => ({
      kind: 'download',
      names: longNames(20),
      followed: { followedUsers: longNames(30).map((name, userId) => ({ userId, name })), followedGroups: [] },
    }),
  }),
  'drive-folder-limit': win<FolderLimitProps, boolean>({
    title: 'property.limit.title',
    size: { width: 460, height: 'auto' },
    resizable: false,
    load: () => import('./property/folder-limit.tsx').then((module) => module.FolderLimit),
    sample: {
      item: itemRecord({ serverId: 0, fId: 1, fType: 2, fName: '合同与法务' }),
      limit: 1_073_741_824,
      used: 620_000_000,
    },
    crowded: () => ({ item: itemRecord({ serverId: 0, fId: 1, fType: 2, fName: longName() }), limit: 0, used: 0 }),
  }),
  'drive-rollback': win<RollbackProps>({
    title: ({ item }) => t('drive.rollback.titleOf', { name: item.fName }),
    size: { width: 900, height: 620 },
    minSize: { width: 560, height: 440 },
    load: () => import('./rollback/rollback-window.tsx').then((module) => module.RollbackWindow),
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    sample: { item: itemRecord({ serverId: 0, fId: 1, fType: 2, fName: '合同与法务' }) },
    crowded: () => ({ item: itemRecord({ serverId: 0, fId: 1, fType: 2, fName: longName() }) }),
  }),
  'drive-folder-pick': win<FolderPickProps, Target>({
    title: (props) => props.title,
    size: { width: 560, height: 520 },
    minSize: { width: 440, height: 400 },
    fromQuery: (query) => ({ title: query.get('title') ?? t('drive.pick.title'), hint: '', verb: 'move' }),
    load: () => import('./dialogs/folder-pick.tsx').then((module) => module.FolderPick),
    sample: { title: '移动到', hint: '', verb: 'move' },
  }),
  'drive-item-pick': win<ItemPickProps, ItemRecord[]>({
    title: (props) => props.title,
    size: { width: 760, height: 520 },
    fromQuery: (query) => ({
      title: query.get('title') ?? t('drive.pick.title'),
      hint: '',
      what: 'both',
      multiple: query.get('multiple') !== '0',
    }),
    load: () => import('./dialogs/item-pick.tsx').then((module) => module.ItemPick),
    sample: { title: '添加快捷方式', hint: '', what: 'both', multiple: true },
  }),
  'drive-upload-conflict': win<UploadConflictProps, Decision>({
    title: (props) => t('drive.conflict.title', { target: props.target, n: props.clashes.length }),
    size: { width: 820, height: 510 },
    load: () => import('./dialogs/upload-conflict.tsx').then((module) => module.UploadConflict),
    sample: {
      target: '华东大区',
      clashes: [
        {
          name: '华东区渠道合作协议（修订 7）.docx',
          folder: '',
          size: 1_950_000,
          modified: 1_795_000_000_000,
          existing: existingFile,
        },
      ],
    },
    crowded: () => ({
      target: longName(),
      clashes: longNames(120).map((name) => ({
        name,
        folder: '',
        size: 1_950_000,
        modified: 1_795_000_000_000,
        existing: { ...existingFile, lastOperatorName: longName() },
      })),
    }),
  }),
  'drive-oversize': win<OversizeProps, boolean>({
    title: 'drive.oversize.title',
    size: { width: 500, height: 'auto' },
    resizable: false,
    load: () => import('./dialogs/oversize.tsx').then((module) => module.Oversize),
    sample: { limit: '2.00 GB', files: [{ name: '新员工信息安全培训录像.mp4', size: 3_221_225_472 }], others: 12 },
    crowded: () => ({
      limit: '2.00 GB',
      files: longNames(120).map((name) => ({ name, size: 3_221_225_472 })),
      others: 10_000,
    }),
  }),
  'drive-upload-finished': win<UploadFinishedProps, boolean>({
    title: 'drive.finished.title',
    size: { width: 500, height: 'auto' },
    resizable: false,
    load: () => import('./dialogs/upload-finished.tsx').then((module) => module.UploadFinished),
    sample: { description: '项目照片（126 项）', count: 126, totalSize: 402_653_184, folder: '华东大区' },
    crowded: () => ({ description: longName(), count: 10_000, totalSize: 402_653_184, folder: longName() }),
  }),
  'cloudoc-property': win<PropertyWindowProps>({
    title: ({ item }) => t('property.titleOf', { name: item.fName }),
    size: { width: 938, height: 580 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./property/property.tsx').then((module) => module.PropertyWindow),
    sample: { item: itemRecord({ serverId: 0, fId: 1, fType: 1, fName: '华东区渠道合作协议（修订 7）.docx' }) },
    crowded: () => ({ item: itemRecord({ serverId: 0, fId: 1, fType: 2, fName: longName() }), tab: 'log' }),
  }),
  'cloudoc-permission': win<PermissionWindowProps, boolean>({
    title: ({ item, items = [item] }) =>
      items.length === 1 ? t('rights.titleOf', { name: item.fName }) : t('rights.titleMany', { n: items.length }),
    size: { width: 1030, height: 622 },
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    load: () => import('./rights/permission.tsx').then((module) => module.PermissionWindow),
    sample: { item: { serverId: 0, fId: 1, fType: 2, fName: '华东大区' } },
  }),
  'cloudoc-share': win<ShareWindowProps, boolean>({
    title: ({ items }) =>
      items.length === 1
        ? t('share.titleOf', { name: items[0]?.fName ?? '' })
        : t('share.titleMany', { n: items.length }),
    size: { width: 560, height: 'auto' },
    load: () => import('./rights/share.tsx').then((module) => module.ShareWindow),
    sample: { items: [] },
  }),
  'drive-until': win<ExpiryMomentProps, number>({
    title: 'rights.until',
    size: { width: 360, height: 'auto' },
    load: () => import('./rights/expiry-field.tsx').then((module) => module.ExpiryMoment),
    sample: { until: Date.UTC(2026, 11, 31, 10) },
  }),
  'drive-why': win<RightsExplanationProps>({
    title: ({ item }) => t('why.titleOf', { name: item.fName }),
    size: { width: 480, height: 'auto' },
    load: () => import('./rights/rights-explanation.tsx').then((module) => module.RightsExplanation),
    sample: { item: { serverId: 0, fId: 1, fType: 1, fName: '供应商名录.xlsx' } },
  }),
  'cloudoc-file-comment': win<CommentWindowProps>({
    title: ({ item }) => (item.fName === '' ? t('comments.title') : t('comments.titleOf', { name: item.fName })),
    size: { width: 520, height: 600 },
    load: () => import('./comments/comments.tsx').then((module) => module.CommentWindow),
    fromQuery: async (query) => ({ item: await itemFromQuery(query) }),
    sample: { item: { serverId: 0, fId: 1, fType: 1, fName: '华东区渠道合作协议（修订 7）.docx' } },
    crowded: () => ({ item: { serverId: 0, fId: 1, fType: 1, fName: longName() } }),
  }),
  'cloudoc-file-tag': win<FileTagProps, boolean>({
    title: ({ items }) =>
      items.length === 1
        ? t('tags.titleOf', { name: items[0]?.fName ?? '' })
        : t('tags.titleMany', { n: items.length }),
    size: { width: 580, height: 310 },
    fromQuery: async (query) => ({ items: [await itemFromQuery(query)] }),
    load: () => import('./tags/file-tag.tsx').then((module) => module.FileTag),
    sample: { items: [{ serverId: 0, fId: 1, fType: 1, fName: '采购框架合同-已签署.pdf' }] },
    crowded: () => ({ items: longNames(100).map((fName, n) => ({ serverId: 0, fId: n + 1, fType: 1, fName })) }),
  }),
  'cloudoc-tag': win<object>({
    title: 'tags.manage',
    size: { width: 560, height: 480 },
    single: true,
    load: () => import('./tags/manage-tags.tsx').then((module) => module.ManageTags),
    fromQuery: () => ({}),
    sample: {},
  }),
  'cloudoc-hold': win<PlaceHoldProps, number>({
    title: 'holdPage.place',
    // Sizes are ours (X79).
    size: { width: 560, height: 'auto' },
    resizable: false,
    load: () => import('./holds/place-hold.tsx').then((module) => module.PlaceHold),
    sample: {},
  }),
  'cloudoc-hold-lift': win<LiftHoldProps, boolean>({
    title: 'holdPage.lift',
    // Sizes are ours (X79).
    size: { width: 440, height: 'auto' },
    resizable: false,
    load: () => import('./holds/lift-hold.tsx').then((module) => module.LiftHold),
    sample: { holdId: 1, name: '江南渠道合同纠纷' },
    crowded: () => ({ holdId: 1, name: longName() }),
  }),
  'cloudoc-retention': win<RetentionRuleProps, number>({
    title: 'retentionPage.rule',
    // Sizes are ours (X79).
    size: { width: 640, height: 'auto' },
    resizable: false,
    load: () => import('./retention/retention-rule.tsx').then((module) => module.RetentionRuleWindow),
    sample: { rule: undefined },
  }),
  'company-new-library': win<Readonly<Record<string, never>>, { readonly libraryId: number }>({
    title: 'company.library.new',
    size: { width: 520, height: 'auto' },
    load: () => import('./libraries/new-library.tsx').then((module) => module.NewLibrary),
    sample: {},
  }),
  'company-what-if': win<WhatIfProps>({
    title: ({ item }) => t('company.whatIf.titleOf', { name: item.fName }),
    size: { width: 720, height: 'auto' },
    load: () => import('./access/what-if.tsx').then((module) => module.WhatIf),
    sample: { item: { fType: 2, fId: 1, fName: '华东大区', pathString: '市场中心' } },
  }),
}
