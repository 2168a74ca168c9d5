// The three administrators at work, and a manager who returns a folder to a moment; in English, in the full run in
// Chinese too. The handover of the powers has a journey of its own (three-administrators.test.ts).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { itemAddress, rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, type Person, password } from './company.ts'

const url = await ownServer()
const browser = await openBrowser()
const company = await openCompany(url)
const pictures = process.env['PICTURES']
const locales = inject('full') ? (['zh', 'en'] as const) : (['en'] as const)

const words = {
  zh: {
    name: '名称',
    save: '保存',
    ruleNew: '新建规则…',
    rule: '保留规则',
    days: '多少天没有修改',
    kinds: '文件类型',
    wouldRemove: '现在会清理',
    noFiles: '0 个文件，共 0 B',
    ruleOf: (name: string) => `立即执行“${name}”`,
    nothingToRun: (name: string) => `现在没有符合“${name}”的文件`,
    rebuild: '重建搜索索引…',
    rebuildNow: '重建',
    rebuilding: /项已排队，正在后台重建/,
    backUp: '立即备份',
    check: '检查能否恢复',
    whole: /完好/,
    sendPush: '发给自己',
    pushSent: /已发送 settingsChanged/,
    talk: '即时通讯',
    turnOff: '关闭',
    hookNew: '新建 Webhook…',
    hook: 'Webhook',
    address: '地址',
    create: '创建',
    done: '完成',
    hookOf: (name: string) => `查看“${name}”的消息`,
    hookTest: '发送测试消息',
    arrived: '已送达',
    lock: '几次输错后锁定',
    saveOne: '保存 1 处修改',
    hold: '发起保全…',
    holdWindow: '发起保全',
    item: '文件或文件夹',
    reason: '理由',
    placeHold: '发起保全',
    inForce: '生效中',
    holdOf: (name: string) => `查看“${name}”`,
    lift: '解除保全…',
    liftWindow: '解除保全',
    liftReason: '解除理由',
    liftNow: '解除保全',
    lifted: '已解除',
    placed: '发起保全',
    setRule: '保存保留规则',
    back: '恢复到某个时间…',
    backTo: '恢复到',
    backDo: /^恢复到 /,
    undo: '撤销这次恢复',
    undone: /已撤销恢复，1 项已改变/,
    restored: /已恢复到 .*，1 项已改变/,
  },
  en: {
    name: 'Name',
    save: 'Save',
    ruleNew: 'New rule…',
    rule: 'Retention rule',
    days: 'Days unchanged',
    kinds: 'File types',
    wouldRemove: 'Would remove now',
    noFiles: '0 files, 0 B in total',
    ruleOf: (name: string) => `Run “${name}” now`,
    nothingToRun: (name: string) => `No files match “${name}” at the moment`,
    rebuild: 'Rebuild search index…',
    rebuildNow: 'Rebuild',
    rebuilding: /queued, rebuilding in the background/,
    backUp: 'Back up now',
    check: 'Check',
    whole: /Intact/,
    sendPush: 'Send to myself',
    pushSent: /Sent settingsChanged/,
    talk: 'Chat',
    turnOff: 'Switch off',
    hookNew: 'New webhook…',
    hook: 'Webhooks',
    address: 'Address',
    create: 'Create',
    done: 'Done',
    hookOf: (name: string) => `Show the messages of “${name}”`,
    hookTest: 'Send a test message',
    arrived: 'Delivered',
    lock: 'Wrong passwords before a lock',
    saveOne: 'Save 1',
    hold: 'Place a hold…',
    holdWindow: 'Place a legal hold',
    item: 'File or folder',
    reason: 'Reason',
    placeHold: 'Place hold',
    inForce: 'In force',
    holdOf: (name: string) => `Open “${name}”`,
    lift: 'Lift hold…',
    liftWindow: 'Lift a legal hold',
    liftReason: 'Reason for lifting',
    liftNow: 'Lift hold',
    lifted: 'Lifted',
    placed: 'Legal hold placed',
    setRule: 'Retention rule saved',
    back: 'Restore to an earlier time…',
    backTo: 'Restore to',
    backDo: /^Restore to /,
    undo: 'Undo this restore',
    undone: /Restore undone, 1 item changed/,
    restored: /Restored to .*, 1 item changed/,
  },
} as const

/** A page of somebody, with its texts in a language. */
async function pageOf({ account }: Person, locale: 'zh' | 'en'): Promise<Page> {
  const page = await browser.open(url)
  await new LoginPage(page).signIn(account, password)
  await page.evaluate((value) => localStorage.setItem('locale', value), locale)
  return page
}

/** A page of the administration. Takes a picture of it, and checks that everybody can use it. */
async function visit(page: Page, name: string, locale: string, ready: () => Promise<unknown>): Promise<void> {
  await page.goto(`${url}/doc/admin/${name}`)
  await ready()
  await expectAccessible(page)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `console-${name}-${locale}.png`) })
}

/** What arrived at a program of the company. */
const received: string[] = []
const program = createServer((request, response) => {
  request.on('data', (part: Buffer) => received.push(part.toString()))
  request.on('end', () => response.writeHead(204).end())
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
afterAll(() => program.close())

/** Accounts that hold one power each; the first administrator has given them up. */
const holders = await Promise.all([
  company.person('xitong', '系统员'),
  company.person('anquan', '安全员'),
  company.person('shenji', '审计员'),
])
const [system, security, auditor] = holders
const shared = await company.sharedFolder('保全资料', rightsGroup.full, [...holders])
const manager = await company.person('guanli', '管理员')
for (const [power, { userId }] of [
  ['system', system],
  ['security', security],
  ['audit', auditor],
] as const)
  await company.admin.call('setPowerHolders', { power, userIds: [userId] })

test.each(locales)('in %s the system administrator keeps the installation in order', async (locale) => {
  const w = words[locale]
  const page = await pageOf(system, locale)
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const rule = `过程稿 ${locale}`
  await visit(page, 'retention', locale, () => page.getByRole('button', { name: w.ruleNew }).waitFor())
  await press(w.ruleNew)
  const form = page.getByRole('dialog', { name: w.rule })
  await form.getByLabel(w.name, { exact: true }).fill(rule)
  await form.getByLabel(w.days).fill('30')
  await form.getByLabel(w.kinds).fill('tmp bak')
  await form.getByRole('region', { name: w.wouldRemove }).getByText(w.noFiles).waitFor()
  await expectAccessible(page)
  await form.getByRole('button', { name: w.save, exact: true }).click()
  await press(w.ruleOf(rule))
  await page.getByText(w.nothingToRun(rule)).waitFor()

  await visit(page, 'jobs', locale, () => page.getByRole('button', { name: w.rebuild }).waitFor())
  await press(w.rebuild)
  await page.getByRole('dialog').getByRole('button', { name: w.rebuildNow, exact: true }).click()
  await page.getByText(w.rebuilding).waitFor()

  await visit(page, 'backup', locale, () => page.getByRole('button', { name: w.backUp, exact: true }).first().waitFor())
  await press(w.backUp)
  await press(w.check)
  await page.getByText(w.whole).first().waitFor()

  await visit(page, 'features', locale, () => page.getByRole('switch', { name: w.talk }).waitFor())
  await press(w.sendPush)
  await page.getByText(w.pushSent).waitFor()
  await page.getByRole('switch', { name: w.talk }).click()
  await page.getByRole('dialog').getByRole('button', { name: w.turnOff, exact: true }).click()
  await expect
    .poll(async () => (await system.call('getServerSetting', { code: 'features_off' })).includes('talk'))
    .toBe(true)
  await page.getByRole('switch', { name: w.talk, checked: false }).click()
  await page.getByRole('switch', { name: w.talk, checked: true }).waitFor()

  const hook = `ERP ${locale}`
  await visit(page, 'webhooks', locale, () => page.getByRole('button', { name: w.hookNew }).waitFor())
  await press(w.hookNew)
  const target = page.getByRole('dialog', { name: w.hook })
  await target.getByLabel(w.name, { exact: true }).fill(hook)
  await target.getByLabel(w.address).fill(`http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`)
  await target.getByRole('button', { name: w.create, exact: true }).click()
  await target.getByText(/^whsec_/).waitFor()
  await target.getByRole('button', { name: w.done, exact: true }).click()
  await press(w.hookOf(hook))
  await press(w.hookTest)
  await expect.poll(() => received.some((one) => one.includes('"type":"test"'))).toBe(true)
  await page.getByText(w.arrived, { exact: true }).last().waitFor()
})

test.each(locales)('in %s the security administrator sets a rule of the sign-in', async (locale) => {
  const w = words[locale]
  const page = await pageOf(security, locale)
  await visit(page, 'safety', locale, () => page.getByLabel(w.lock).first().waitFor())
  const wanted = locale === 'zh' ? '7' : '8'
  await page.getByLabel(w.lock).first().fill(wanted)
  await page.getByRole('button', { name: w.saveOne }).click()
  await page.getByRole('button', { name: w.saveOne }).waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => page.getByLabel(w.lock).first().inputValue()).toBe(wanted)
  expect(await page.getByRole('link', { name: locale === 'zh' ? '任务与转换' : 'Background jobs' }).count()).toBe(0)
})

test.each(locales)(
  'in %s the auditor places a hold, which keeps what managers would delete, and lifts it',
  async (locale) => {
    const w = words[locale]
    const kept = `证据 ${locale}`
    const folderId = await system.folder(shared, kept)
    const fileId = await system.upload(folderId, 'a.txt', Buffer.from('a'))
    const remove = () => system.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId], withDeleted: true })
    await system.call('saveRetentionRule', { name: `归档 ${locale}`, days: 3650 })
    const page = await pageOf(auditor, locale)
    const hold = `案件 ${locale}`
    await visit(page, 'holds', locale, () => page.getByRole('button', { name: w.hold }).waitFor())
    await page.getByRole('button', { name: w.hold }).click()
    const form = page.getByRole('dialog', { name: w.holdWindow })
    await form.getByLabel(w.name, { exact: true }).fill(hold)
    await form.getByLabel(w.reason, { exact: true }).fill('诉讼')
    await form.getByRole('combobox', { name: w.item }).fill(kept)
    await form.getByRole('option', { name: kept }).first().click()
    await expectAccessible(page)
    await form.getByRole('button', { name: w.placeHold, exact: true }).click()
    await page.getByText(w.inForce).first().waitFor()
    await expect(remove()).rejects.toMatchObject({ code: 'keptByRule' })

    await page.getByRole('button', { name: w.holdOf(hold) }).click()
    await page.getByRole('button', { name: w.lift }).click()
    const lifting = page.getByRole('dialog', { name: w.liftWindow })
    await lifting.getByLabel(w.liftReason).fill('结案')
    await lifting.getByRole('button', { name: w.liftNow, exact: true }).click()
    await page.getByText(w.lifted).first().waitFor()
    await remove()

    await visit(page, 'audit', locale, () => page.getByText(w.placed).first().waitFor())
    await page.getByText(w.setRule).first().waitFor()
  },
)

test.each(locales)('in %s a manager returns a folder to a moment, and undoes that', async (locale) => {
  const w = words[locale]
  const name = `方案 ${locale}`
  const folderId = await manager.folder(manager.library, name)
  const fileId = await manager.upload(folderId, 'plan.txt', Buffer.from('plan'))
  const nameNow = async () => (await manager.call('getFileInfo', { fileId })).fName
  const at = Date.now() + 1
  await expect.poll(() => Date.now()).toBeGreaterThan(at)
  await manager.call('renameFile', { fileId, fileName: 'renamed.txt' })

  const page = await pageOf(manager, locale)
  await page.goto(url + itemAddress({ fType: 2, fId: manager.library }))
  await new FilesPage(page).choose(name, w.back)
  const window = page.getByRole('dialog', { name: new RegExp(name) })
  // To the millisecond, in the time zone of the browser.
  const local = await page.evaluate(
    (time) => new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, -1),
    at,
  )
  await window.getByLabel(w.backTo, { exact: true }).fill(local)
  await window.getByText('renamed.txt').first().waitFor()
  await expectAccessible(page)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `console-rollback-${locale}.png`) })
  await window.getByRole('button', { name: w.backDo }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: w.backDo }).click()
  await window.getByText(w.restored).waitFor()
  expect(await nameNow()).toBe('plan.txt')
  await window.getByRole('button', { name: w.undo }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: w.undo }).click()
  await window.getByText(w.undone).waitFor()
  expect(await nameNow()).toBe('renamed.txt')
})
