// @vitest-environment happy-dom
// What was approved is what leaves; a new version is asked for by itself.
import type { FileExchangeDetail } from '@cloudoc/contract'
import { ExchangeStatus } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { en, zh } from '../../test/all-texts.ts'
import { button, cleanUp, click, render, screenText } from '../../test/render.tsx'
import { queryClient } from '../core/call/query.ts'
import { addTexts, setLocale } from '../core/i18n/i18n.ts'
import { registerWindows, windowStore } from '../core/windows/index.ts'
import { ExchangeDetail } from './exchange-detail.tsx'
import { detailQuery } from './exchange-queries.ts'
import { exchangeWindows } from './windows.ts'

addTexts(zh, en)
registerWindows(exchangeWindows)
beforeEach(() => setLocale('zh'))
afterEach(cleanUp)

const file = (fId: number, newVersion: number) => ({
  ...{ fId, fName: `图纸 ${fId}.pdf`, path: '', fileSize: 1000, version: 3, newVersion, mayPreview: false },
  ...{ secretLevel: 0, secretName: '', sha256: 'ab' },
})
const none = {
  decide: false,
  cancel: false,
  remind: false,
  resend: false,
  showPwd: false,
  pickUp: false,
  remove: false,
}
const detail = (mayDecide: boolean): FileExchangeDetail => ({
  ...{
    applyId: 5,
    approveId: 0,
    number: 'EX-5',
    name: '林夏',
    groupName: '设计部',
    networkName: '外网',
    itemName: '图纸',
  },
  ...{ fileCount: 2, fileSize: 2000, secretLevel: 0, secretName: '', remindStatus: ExchangeStatus.approved },
  ...{ delivery: null, transport: 'wire' as const, applyComment: '', answer: '', handledBy: '', problem: 0 },
  ...{ receivers: ['周'], fetchedCount: 0, waitsFor: [], isAwaited: false, requirePwd: false, handleBefore: null },
  ...{
    createTime: 1,
    changeTime: 1,
    expireTime: null,
    fileId: 0,
    folderId: 0,
    ruleName: '规则',
    nodes: [],
    timeline: [],
  },
  ...{ approvers: [], may: { ...none, decide: mayDecide }, files: [file(1, 3), file(2, 4), { ...file(3, 5), fId: 0 }] },
})

async function shown(mayDecide: boolean): Promise<void> {
  const which = { applyId: 5, approveId: 0 }
  queryClient.setQueryData(detailQuery(which).queryKey, detail(mayDecide))
  await render(<ExchangeDetail {...which} close={() => undefined} setDirty={() => undefined} />)
}

test('[R259] a version that came after the request is named, and a request for it is one button away', async () => {
  await shown(false)
  await click(button('申请发送新版本（1）'))
  const [opened] = windowStore.getState().open
  expect(opened?.name).toBe('file-exchange-send')
  expect(opened?.props).toMatchObject({ items: [{ fId: 2, fType: 1, fName: '图纸 2.pdf', extName: 'pdf' }] })
})

test('[R259] a reviewer decides about what was asked for', async () => {
  await shown(true)
  expect(screenText()).toContain('图纸 2.pdf')
  expect(screenText()).not.toContain('申请发送新版本')
})
