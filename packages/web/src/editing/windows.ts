// The windows of this area.
import { t } from '../core/i18n/i18n.ts'
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import { itemRecord } from '../items/item/item-record.ts'
import type { CoeditEditorProps } from './coedit/coedit-editor.tsx'
import type { ConflictComparisonProps } from './conflict/conflict-comparison.tsx'
import type { ConflictAnswer, EditConflictProps } from './conflict/edit-conflict.tsx'
import type { EditorProps } from './editor/editor-frame.tsx'
import type { LockGrantedProps } from './lock-queue/lock-granted.tsx'
import type { UnlockApplyProps } from './lock-queue/unlock-apply.tsx'
import type { FileLockedAnswer, FileLockedProps } from './locks/file-locked.tsx'
import type { ForceUnlockProps } from './locks/force-unlock.tsx'
import type { LockLostAnswer, LockLostProps } from './locks/lock-lost.tsx'
import type { ForceUnlockNoticeProps } from './recovery/force-unlock-notice.tsx'
import type { OfficeServerEditorProps } from './wopi/office-server-editor.tsx'

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

export const editingWindows = {
  'cloudoc-edit-text': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./text/text-editor.tsx').then((module) => module.TextEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md' }), readOnly: '' },
  }),
  'cloudoc-edit-here': win<CoeditEditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./coedit/coedit-editor.tsx').then((module) => module.CoeditEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md' }), joined: joinedSample },
    crowded: () => ({ item: itemRecord({ fId: 1, fType: 1, fName: longName() }), joined: joinedSample }),
  }),
  'cloudoc-edit-sheet': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./workbook/sheet-editor.tsx').then((module) => module.SheetEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测与回款计划.xlsx' }), readOnly: '' },
  }),
  'cloudoc-edit-table': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./table/table-editor.tsx').then((module) => module.TableEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.csv' }), readOnly: '' },
  }),
  'cloudoc-edit-doc': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./document/document-editor.tsx').then((module) => module.DocumentEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '供货合同.docx' }), readOnly: '' },
  }),
  'cloudoc-edit-slides': win<EditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./slides/slides-editor.tsx').then((module) => module.SlidesEditor),
    sample: { item: itemRecord({ fId: 1, fType: 1, fName: '产品发布方案.pptx' }), readOnly: '' },
  }),
  'cloudoc-multi-edit': win<OfficeServerEditorProps>({
    title: ({ item }) => item.fName,
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./wopi/office-server-editor.tsx').then((module) => module.OfficeServerEditor),
    sample: { item: { serverId: 0, fId: 1, fName: '供货合同.docx' } },
    crowded: () => ({ item: { serverId: 0, fId: 1, fName: longName() } }),
  }),
  'cloudoc-edit-conflict': win<EditConflictProps, ConflictAnswer>({
    title: 'editor.conflict.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('./conflict/edit-conflict.tsx').then((module) => module.EditConflict),
    sample: {
      newest: itemRecord({ fId: 1, fType: 1, fName: '接口对接说明.md', version: 5, lastOperatorName: '周航' }),
      base: 4,
      made: new Uint8Array(),
      comparison: { both: bothSample, differs: { mine: 2, theirs: 1, atOnce: 1 } },
    },
    crowded: () => ({
      newest: itemRecord({ fId: 1, fType: 1, fName: longName(), version: 5, lastOperatorName: longName() }),
      base: 4,
      made: new Uint8Array(),
      comparison: { both: bothSample, differs: { mine: 2, theirs: 1, atOnce: 1 } },
    }),
  }),
  'cloudoc-edit-compare': win<ConflictComparisonProps>({
    title: ({ name }) => t('editor.compare.title', { name }),
    size: { width: 900, height: 560 },
    load: () => import('./conflict/conflict-comparison.tsx').then((module) => module.ConflictComparison),
    sample: { name: '接口对接说明.md', both: bothSample, author: '周航', version: 5 },
    crowded: () => ({ name: longName(), both: bothSample, author: longName(), version: 5 }),
  }),
  'cloudoc-recent-edit': win<object>({
    title: 'editor.recent.title',
    size: { width: 720, height: 480 },
    single: true,
    load: () => import('./recovery/recent-edits.tsx').then((module) => module.RecentEdits),
    fromQuery: () => ({}),
    sample: {},
  }),
  'cloudoc-edit-lock-lost': win<LockLostProps, LockLostAnswer>({
    title: 'editor.cannotLock',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('./locks/lock-lost.tsx').then((module) => module.LockLost),
    sample: { name: '渠道报价测算.csv', reason: '文件已被锁定 (王敏)', option: 'wait' },
    crowded: () => ({ name: longName(), reason: longName(), option: 'again' }),
  }),
  'cloudoc-force-unlock': win<ForceUnlockProps, boolean>({
    title: 'unlock.menu',
    size: { width: 450, height: 180 },
    resizable: false,
    load: () => import('./locks/force-unlock.tsx').then((module) => module.ForceUnlock),
    sample: { items: [itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.csv', editorId: 20, editorName: '陈晓' })] },
    crowded: () => ({
      items: [itemRecord({ fId: 1, fType: 1, fName: longName(), editorId: 20, editorName: longName() })],
    }),
  }),
  'cloudoc-edit-held': win<FileLockedProps, FileLockedAnswer>({
    title: ({ item }) => t('turn.held.title', { name: item.fName }),
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('./locks/file-locked.tsx').then((module) => module.FileLocked),
    sample: {
      item: itemRecord({ fId: 1, fType: 1, fName: 'Q4 销售预测.xlsx', version: 11, editorId: 20, editorName: '陈晓' }),
      canWait: true,
    },
    crowded: () => ({
      item: itemRecord({ fId: 1, fType: 1, fName: longName(), editorId: 20, editorName: longName() }),
      canWait: true,
    }),
  }),
  'cloudoc-edit-turn': win<LockGrantedProps, 'open' | 'pass'>({
    title: 'turn.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('./lock-queue/lock-granted.tsx').then((module) => module.LockGranted),
    sample: { grant: { ...turn, fileName: 'Q4 销售预测.csv' } },
    crowded: () => ({ grant: { ...turn, fileName: longName() } }),
  }),
  'cloudoc-unlock-apply': win<UnlockApplyProps, boolean>({
    title: 'turn.wanted.title',
    size: { width: 450, height: 'auto' },
    resizable: false,
    load: () => import('./lock-queue/unlock-apply.tsx').then((module) => module.UnlockApply),
    sample: { request: { ...asked, fileName: '渠道报价测算.csv', userName: '李思远' } },
    crowded: () => ({ request: { ...asked, fileName: longName(), userName: longName() } }),
  }),
  'cloudoc-force-unlock-notice': win<ForceUnlockNoticeProps, 'saveAs'>({
    title: 'unlock.notice.title',
    size: { width: 450, height: 170 },
    resizable: false,
    load: () => import('./recovery/force-unlock-notice.tsx').then((module) => module.ForceUnlockNotice),
    sample: { told: { ...forced, fileName: 'Q4 销售预测.csv', userName: '陆远' }, copies: true },
    crowded: () => ({ told: { ...forced, fileName: longName(), userName: longName() }, copies: true }),
  }),
}
