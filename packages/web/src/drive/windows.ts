// The drive's windows.
import type { ItemRecord } from '@cloudoc/contract'
import { parseItemIdStr } from '@cloudoc/domain'
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { CompareBothProps } from '../editing/editors/compare-both.tsx'
import type { ConflictAnswer, ConflictProps } from '../editing/editors/conflict.tsx'
import type { EditorProps } from '../editing/editors/editor-frame.tsx'
import type { ForceUnlockProps } from '../editing/editors/force-unlock.tsx'
import type { ForceUnlockNoticeProps } from '../editing/editors/force-unlock-notice.tsx'
import type { EditHeldProps, HeldAnswer } from '../editing/editors/held.tsx'
import type { EditHereProps } from '../editing/editors/here/here-editor.tsx'
import type { LockLostAnswer, LockLostProps } from '../editing/editors/lock-lost.tsx'
import type { TogetherProps } from '../editing/editors/together.tsx'
import type { EditTurnProps } from '../editing/editors/turn.tsx'
import type { UnlockApplyProps } from '../editing/editors/unlock-apply.tsx'
import type { Target } from '../items/actions/operations.ts'
import type { NewAssociatedProps } from '../items/associated/new-associated.tsx'
import type { ReadOnlyProps } from '../items/conditions/read-only.tsx'
import type { SecretChosen, SecretProps } from '../items/conditions/secret.tsx'
import { itemRecord } from '../items/item/item-record.ts'
import type { Sorting } from '../items/lists/folder-list.ts'
import type { Decision } from '../transfer/engine/upload-plan.ts'
import type { TransferDetailProps } from '../transfer/screens/transfer-detail.tsx'
import type { KeptViewerProps } from '../viewing/preview/kept-stage.tsx'
import type { PreviewerProps, PreviewerResult } from '../viewing/preview/previewer.tsx'
import type { CommentsProps } from './comments/comments.tsx'
import type { BatchResultProps } from './dialogs/batch-result.tsx'
import type { ConfirmDeleteProps } from './dialogs/confirm-delete.tsx'
import type { FilesSortProps } from './dialogs/files-sort.tsx'
import type { FolderPickProps } from './dialogs/folder-pick.tsx'
import type { ItemPickProps } from './dialogs/item-pick.tsx'
import type { OversizeProps } from './dialogs/oversize.tsx'
import type { UploadConflictProps } from './dialogs/upload-conflict.tsx'
import type { UploadFinishedProps } from './dialogs/upload-finished.tsx'
import type { FolderLimitProps } from './property/folder-limit.tsx'
import type { PropertyProps } from './property/property.tsx'
import type { PermissionProps } from './rights/permission.tsx'
import type { ShareProps } from './rights/share.tsx'
import type { UntilMomentProps } from './rights/until.tsx'
import type { WhyProps } from './rights/why.tsx'
import type { FileTagProps } from './tags/file-tag.tsx'

/** The longest names there are, of each kind that breaks lines in its own way. */
const longNames = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const words = ['关于渠道合作协议补充条款的说明', 'W', 'annual report ', 'تقرير المبيعات '][i % 4] ?? ''
    return `${words.repeat(255).slice(0, 240).trim()} ${i + 1}.docx`
  })
const longName = (): string => longNames(2).at(-1) ?? ''

const existingFile = {
  fType: 1,
  fileSize: 1_930_000,
  modifyTime: 1_794_000_000_000,
  version: 7,
  lastOperatorName: '王敏',
  editorName: '',
  sha256: '',
} as const

const joinedSample = {
  ...{ generation: 1, client: 1, update: 'AAA=', seq: 0, canWrite: true, version: 3, savedSeq: 0 },
  shape: 'text' as const,
  form: { encoding: 'utf-8', hasMark: false, end: '\n' },
  members: ['王敏', '陈晓'].map((name, n) => ({ client: n + 1, userId: n + 1, name, cursor: '', canWrite: true })),
  turns: [],
}
const bothSample = {
  base: ['# 接口对接说明', '超时 10 秒', '重试 3 次'],
  mine: ['# 接口对接说明', '超时 30 秒', '重试 3 次', '失败时告警'],
  theirs: ['# 接口对接说明', '超时 20 秒', '重试 3 次'],
}
const asked = { serverId: 0, fileId: 1, userId: 20, applyTime: 1_795_000_000_000 } as const
const turn = {
  serverId: 0,
  fileId: 1,
  version: 12,
  userId: 1,
  userName: '',
  lockTime: 0,
  keptUntil: 1_795_000_000_000,
} as const
const forced = { serverId: 0, fileId: 1, userId: 20, lockType: 1, handleTime: 1_795_000_000_000 } as const

/** What this area adds to the window catalogue. */
export const driveWindows = {
  previewer: win<PreviewerProps, PreviewerResult>({
    title: 'drive.menu.preview',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./previewer-window.tsx').then((module) => module.PreviewerWindow),
    fromQuery: (query) => {
      const version = query.get('version')
      // By its id, or by what names it everywhere ([R063]).
      const written = parseItemIdStr(query.get('itemIdStr') ?? '')
      const fId = Number(query.get('fId')) || (written?.fType === 1 ? written.fId : 0)
      const alone = { fId, ...(version === null ? {} : { version: Number(version) }) }
      return { files: [], index: 0, alone }
    },
    sample: {
      files: [
        { fId: 1, fName: '采购框架合同.dwg', fileSize: 4_320_000, canPreview: true, canDownload: true, canPrint: true },
      ],
      index: 0,
    },
  }),
  'cloudoc-edit-text': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/text-editor.tsx').then((module) => module.TextEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md' }), readOnly: '' },
  }),
  'cloudoc-edit-here': win<EditHereProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/here/here-editor.tsx').then((module) => module.HereEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md' }), joined: joinedSample },
    crowded: () => ({ item: itemRecord({ fId: 1, fType: 1, fName: longName() }), joined: joinedSample }),
  }),
  'cloudoc-edit-sheet': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/sheet-editor.tsx').then((module) => module.SheetEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测与回款计划.xlsx' }), readOnly: '' },
  }),
  'cloudoc-edit-table': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/table-editor.tsx').then((module) => module.TableEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.csv' }), readOnly: '' },
  }),
  'cloudoc-edit-doc': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/doc-editor.tsx').then((module) => module.DocEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '供货合同.docx' }), readOnly: '' },
  }),
  'cloudoc-edit-slides': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/slides-editor.tsx').then((module) => module.SlidesEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '产品发布方案.pptx' }), readOnly: '' },
  }),
  'cloudoc-multi-edit': win<TogetherProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../editing/editors/together.tsx').then((module) => module.Together),
    sample: { item: { fId: 1, fName: '供货合同.docx' } },
    crowded: () => ({ item: { fId: 1, fName: longName() } }),
  }),
  'cloudoc-edit-conflict': win<ConflictProps, ConflictAnswer>({
    title: 'editor.conflict.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('../editing/editors/conflict.tsx').then((module) => module.EditConflict),
    sample: {
      newest: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md', version: 5, lastOperatorName: '周航' }),
      base: 4,
      read: () => Promise.resolve({ both: bothSample, differs: { mine: 2, theirs: 1, atOnce: 1 } }),
    },
    crowded: () => ({
      newest: itemRecord({ fId: 1, fType: 1, fName: longName(), version: 5, lastOperatorName: longName() }),
      base: 4,
      read: () => Promise.resolve({ both: bothSample, differs: { mine: 2, theirs: 1, atOnce: 1 } }),
    }),
  }),
  'cloudoc-edit-compare': win<CompareBothProps>({
    title: ({ name }) => t('editor.compare.title', { name }),
    size: { width: 900, height: 560 },
    load: () => import('../editing/editors/compare-both.tsx').then((module) => module.CompareBoth),
    sample: { name: '接口对接说明.md', both: bothSample, who: '周航', version: 5 },
    crowded: () => ({ name: longName(), both: bothSample, who: longName(), version: 5 }),
  }),
  'cloudoc-recent-edit': win<object>({
    title: 'editor.recent.title',
    size: { width: 720, height: 480 },
    single: true,
    load: () => import('../editing/editors/recent-edits.tsx').then((module) => module.RecentEdits),
    fromQuery: () => ({}),
    sample: {},
  }),
  'cloudoc-edit-lock-lost': win<LockLostProps, LockLostAnswer>({
    title: 'editor.cannotLock',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('../editing/editors/lock-lost.tsx').then((module) => module.LockLost),
    sample: { name: '渠道报价测算.csv', reason: '文件已被锁定 (王敏)', canWait: true },
    crowded: () => ({ name: longName(), reason: longName(), canWait: true }),
  }),
  /** What this browser has kept of a file, where nobody can be asked who is signed in ([R067]). */
  'drive-kept': win<KeptViewerProps>({
    title: 'drive.menu.preview',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../viewing/preview/kept-stage.tsx').then((module) => module.KeptViewer),
    sample: { accountId: 0, fileId: 1 },
  }),
  'cloudoc-force-unlock': win<ForceUnlockProps, boolean>({
    title: 'unlock.menu',
    size: { width: 450, height: 180 },
    resizable: false,
    load: () => import('../editing/editors/force-unlock.tsx').then((module) => module.ForceUnlock),
    sample: { items: [itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.csv', editorId: 20, editorName: '陈晓' })] },
    crowded: () => ({
      items: [itemRecord({ fId: 1, fType: 1, fName: longName(), editorId: 20, editorName: longName() })],
    }),
  }),
  'cloudoc-edit-held': win<EditHeldProps, HeldAnswer>({
    title: ({ item }) => t('turn.held.title', { name: item.fName }),
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('../editing/editors/held.tsx').then((module) => module.EditHeld),
    sample: {
      item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.xlsx', version: 11, editorId: 20, editorName: '陈晓' }),
      canWait: true,
    },
    crowded: () => ({
      item: itemRecord({ fId: 1, fType: 1, fName: longName(), editorId: 20, editorName: longName() }),
      canWait: true,
    }),
  }),
  'cloudoc-edit-turn': win<EditTurnProps, 'open' | 'pass'>({
    title: 'turn.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('../editing/editors/turn.tsx').then((module) => module.EditTurn),
    sample: { turn: { ...turn, fileName: 'Q4 销售预测.csv' } },
    crowded: () => ({ turn: { ...turn, fileName: longName() } }),
  }),
  'cloudoc-unlock-apply': win<UnlockApplyProps, boolean>({
    title: 'turn.wanted.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('../editing/editors/unlock-apply.tsx').then((module) => module.UnlockApply),
    sample: { asked: { ...asked, fileName: '渠道报价测算.csv', userName: '李思远' } },
    crowded: () => ({ asked: { ...asked, fileName: longName(), userName: longName() } }),
  }),
  'cloudoc-force-unlock-notice': win<ForceUnlockNoticeProps, 'saveAs'>({
    title: 'unlock.notice.title',
    size: { width: 450, height: 170 },
    resizable: false,
    load: () => import('../editing/editors/force-unlock-notice.tsx').then((module) => module.ForceUnlockNotice),
    sample: { told: { ...forced, fileName: 'Q4 销售预测.csv', userName: '陆远' }, copies: true },
    crowded: () => ({ told: { ...forced, fileName: longName(), userName: longName() }, copies: true }),
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
    load: () => import('./dialogs/files-sort.tsx').then((module) => module.FilesSort),
    sample: { folderId: 1, folderName: '合同与法务', sort: 'name', order: 'asc' },
    crowded: () => ({ folderId: 1, folderName: longName(), sort: 'name', order: 'asc' }),
  }),
  'cloudoc-secret': win<SecretProps, SecretChosen>({
    title: ({ items, upload, make }) => {
      if (upload !== undefined) return t('drive.secret.titleUpload', { n: upload.names.length })
      if (make !== undefined) return t('drive.secret.titleMake')
      return items?.length === 1
        ? t('drive.secret.titleOf', { name: items[0]?.fName ?? '' })
        : t('drive.secret.titleMany', { n: items?.length ?? 0 })
    },
    size: { width: 500, height: 300 },
    load: () => import('../items/conditions/secret.tsx').then((module) => module.Secret),
    sample: { make: true },
    crowded: () => ({ upload: { names: longNames(40), folderName: longName() } }),
  }),
  'drive-folder-limit': win<FolderLimitProps, boolean>({
    title: 'property.limit.title',
    size: { width: 460, height: 'auto' },
    resizable: false,
    load: () => import('./property/folder-limit.tsx').then((module) => module.FolderLimit),
    sample: { item: itemRecord({ fId: 1, fType: 2, fName: '合同与法务' }), limit: 1_073_741_824, used: 620_000_000 },
    crowded: () => ({ item: itemRecord({ fId: 1, fType: 2, fName: longName() }), limit: 0, used: 0 }),
  }),
  'drive-read-only': win<ReadOnlyProps, boolean>({
    title: 'drive.readOnly.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('../items/conditions/read-only.tsx').then((module) => module.ReadOnly),
    sample: { items: [itemRecord({ fId: 1, fType: 2, fName: '合同与法务' })] },
    crowded: () => ({ items: [itemRecord({ fId: 1, fType: 2, fName: longName() })] }),
  }),
  'drive-folder-pick': win<FolderPickProps, Target>({
    title: (props) => props.title,
    size: { width: 560, height: 520 },
    minSize: { width: 440, height: 400 },
    load: () => import('./dialogs/folder-pick.tsx').then((module) => module.FolderPick),
    sample: { title: '移动到', hint: '', verb: 'move' },
  }),
  'drive-item-pick': win<ItemPickProps, ItemRecord[]>({
    title: (props) => props.title,
    size: { width: 760, height: 520 },
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
      isSame: () => Promise.resolve(false),
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
      isSame: ({ name }) => Promise.resolve(name.endsWith('7.docx')),
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
  'cloudoc-property': win<PropertyProps>({
    title: ({ item }) => t('property.titleOf', { name: item.fName }),
    size: { width: 938, height: 580 },
    load: () => import('./property/property.tsx').then((module) => module.Property),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '华东区渠道合作协议（修订 7）.docx' }) },
    crowded: () => ({ item: itemRecord({ fId: 1, fType: 2, fName: longName() }), tab: 'log' }),
  }),
  'cloudoc-permission': win<PermissionProps, boolean>({
    title: ({ item, items = [item] }) =>
      items.length === 1 ? t('rights.titleOf', { name: item.fName }) : t('rights.titleMany', { n: items.length }),
    size: { width: 1030, height: 622 },
    load: () => import('./rights/permission.tsx').then((module) => module.Permission),
    sample: { item: { fId: 1, fType: 2, fName: '华东大区' } },
  }),
  'cloudoc-share': win<ShareProps, boolean>({
    title: ({ items }) =>
      items.length === 1
        ? t('share.titleOf', { name: items[0]?.fName ?? '' })
        : t('share.titleMany', { n: items.length }),
    size: { width: 560, height: 'auto' },
    load: () => import('./rights/share.tsx').then((module) => module.Share),
    sample: { items: [] },
  }),
  'drive-until': win<UntilMomentProps, number>({
    title: 'rights.until',
    size: { width: 360, height: 'auto' },
    load: () => import('./rights/until.tsx').then((module) => module.UntilMoment),
    sample: { until: Date.UTC(2026, 11, 31, 10) },
  }),
  'drive-why': win<WhyProps>({
    title: ({ item }) => t('why.titleOf', { name: item.fName }),
    size: { width: 480, height: 'auto' },
    load: () => import('./rights/why.tsx').then((module) => module.Why),
    sample: { item: { fId: 1, fType: 1, fName: '供应商名录.xlsx' } },
  }),
  'cloudoc-file-comment': win<CommentsProps>({
    title: ({ item }) => (item.fName === '' ? t('comments.title') : t('comments.titleOf', { name: item.fName })),
    size: { width: 520, height: 600 },
    load: () => import('./comments/comments.tsx').then((module) => module.CommentWindow),
    fromQuery: (query) => ({
      item: {
        fId: Number(query.get('fId')),
        fType: query.get('fType') === '2' ? 2 : 1,
        fName: query.get('fName') ?? '',
      },
    }),
    sample: { item: { fId: 1, fType: 1, fName: '华东区渠道合作协议（修订 7）.docx' } },
    crowded: () => ({ item: { fId: 1, fType: 1, fName: longName() } }),
  }),
  'cloudoc-file-tag': win<FileTagProps, boolean>({
    title: ({ items }) =>
      items.length === 1
        ? t('tags.titleOf', { name: items[0]?.fName ?? '' })
        : t('tags.titleMany', { n: items.length }),
    size: { width: 580, height: 310 },
    load: () => import('./tags/file-tag.tsx').then((module) => module.FileTag),
    sample: { items: [{ fId: 1, fType: 1, fName: '采购框架合同-已签署.pdf' }] },
    crowded: () => ({ items: longNames(100).map((fName, n) => ({ fId: n + 1, fType: 1, fName })) }),
  }),
  'cloudoc-tag': win<object>({
    title: 'tags.manage',
    size: { width: 560, height: 480 },
    single: true,
    load: () => import('./tags/manage.tsx').then((module) => module.ManageTags),
    fromQuery: () => ({}),
    sample: {},
  }),
  'drive-associated': win<NewAssociatedProps, boolean>({
    title: 'associated.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('../items/associated/new-associated.tsx').then((module) => module.NewAssociated),
    sample: { folderId: 1 },
  }),
  'web-transfer-detail': win<TransferDetailProps>({
    title: 'drive.transfer.detail',
    load: () => import('../transfer/screens/transfer-detail.tsx').then((module) => module.TransferDetail),
    fromQuery: (query) => ({ taskId: Number(query.get('taskId')) }),
    sample: { taskId: 1 },
  }),
}
