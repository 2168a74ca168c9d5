// The day of an employee as one story, in both languages, at 200 % zoom, and on a slow line over plain HTTP: a document is
// found by four letters, looked at, written together, sent out by a link and by mail, asked for and granted, talked about,
// passed in a workflow, signed on a phone; what was deleted comes back.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { readMail, startMailServer } from '@cloudoc/server/mail-server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { laptop, openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { type Locale, readTexts, type Texts } from '../pages/texts.ts'
import { writable } from '../pages/writable.ts'
import { openCompany, ownServer, type Person, password } from './company.ts'
import { contractPdf } from './contract-pdf.ts'

// The mail server of the company is for all people, so this file needs its own server.
const company = await openCompany(await ownServer())
const browser = await openBrowser()
await company.admin.call('createSignAuthority', { name: '华信集团' })
const pictures = process.env['PICTURES']

interface Day {
  readonly name: string
  readonly locale: Locale
  /** Where the pages are opened. */
  readonly origin: string
  readonly page: BrowserContextOptions
  /** Milliseconds that each request of the person's own page takes longer. */
  readonly latencyMs: number
}

/** The people of one day: she whose day it is, a colleague, and somebody without rights. */
interface Crew {
  readonly lin: Person
  readonly chen: Person
  readonly zhou: Person
  readonly names: Readonly<Record<'lin' | 'chen' | 'zhou', string>>
}

async function hire(day: Day): Promise<Crew> {
  const n = day.name.replaceAll(/\W/g, '').toLowerCase()
  const names = { lin: `林${n}`, chen: `陈${n}`, zhou: `周${n}` }
  const [lin, chen, zhou] = await Promise.all([
    company.person(`day-lin-${n}`, names.lin),
    company.person(`day-chen-${n}`, names.chen),
    company.person(`day-zhou-${n}`, names.zhou),
  ])
  return { lin, chen, zhou, names }
}

async function publishTemplate(templateName: string, approver: Person): Promise<void> {
  const task = {
    ...({ id: 'one', name: '审核', type: 'task', refusal: 'ends', deadline: null, mayReplace: false } as const),
    handlers: [{ by: 'people' as const, ids: [approver.userId] }],
    ...{ need: { of: 'one' as const, count: 1 }, empty: { to: 'superior' as const } },
  }
  const { templateId } = await company.admin.call('saveProcessTemplate', {
    ...{ templateId: 0, templateName, baseVersion: 0 },
    body: {
      nodes: [{ id: 'start', name: '发起', type: 'start' }, task, { id: 'end', name: '结束', type: 'end' }],
      edges: ['start one', 'one end'].map((edge) => {
        const [from = '', to = ''] = edge.split(' ')
        return { id: `${from}-${to}`, from, to, when: [], otherwise: false }
      }),
      ...{ fields: [], launcherDecides: false, skipsSame: false },
    },
  })
  await company.admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })
}

/** Opens the product in the language of the day and signs in. */
async function enter(day: Day, texts: Texts, person: Person, options: BrowserContextOptions = {}): Promise<FilesPage> {
  const page = await browser.open(day.origin, { ...day.page, ...options })
  await page.evaluate((locale) => localStorage.setItem('locale', locale), day.locale)
  await page.reload()
  await page.getByLabel(texts('login.account'), { exact: true }).fill(person.account)
  await page.getByLabel(texts('login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: texts('login.submit'), exact: true }).click()
  return new FilesPage(page)
}

async function slowDown(page: Page, latency: number): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 },
  })
}

const wide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function liveThrough(day: Day): Promise<void> {
  const texts = await readTexts(day.locale)
  const mails = await startMailServer()
  await company.admin.call('setServerSetting', {
    ...{ mail_host: '127.0.0.1', mail_port: mails.port, mail_security: 'plain', mail_account: '' },
    mail_sender: 'drive@example.com',
  })
  const { lin, chen, zhou, names } = await hire(day)
  let step = 0
  /** Nothing is wider than the page; where pictures are wanted, one is taken. */
  const seen = async (page: Page, what: string): Promise<void> => {
    expect(await wide(page), what).toBeLessThanOrEqual(0)
    step += 1
    if (pictures === undefined) return
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `day-${day.name}-${String(step).padStart(2, '0')}-${what}.png`) })
  }
  const place = await lin.folder(lin.library, '秋季展会')
  await lin.upload(place, '预算归档.md', Buffer.from('# 预算归档\r\n'))
  const contractId = await chen.upload(chen.library, '采购合同.pdf', contractPdf())
  await lin.call('setShareList', {
    ...{ folderId: place, inherit: true },
    entries: [
      { subjectType: 'user', subjectId: chen.userId, rights: rightsGroup.edit },
      { subjectType: 'user', subjectId: zhou.userId, rights: rightsGroup.preview },
    ],
  })
  await publishTemplate(`合同${day.name}`, chen)

  const hers = await enter(day, texts, lin)
  const { page } = hers
  if (day.latencyMs > 0) await slowDown(page, day.latencyMs)
  await hers.grid.waitFor()
  await seen(page, 'files')

  // Four letters find the document, and it is looked at.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: texts('drive.search') }).fill('ysgd')
  await hers.hit('预算归档.md').click()
  const shown = page.getByRole('dialog')
  await shown.getByText(texts('drive.preview.nth', { n: 1, total: 1 })).waitFor()
  await seen(page, 'preview')
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })

  // It is written by two.
  await page.goto(`${day.origin}/doc/folder/files?itemIdStr=s0f-${place}`)
  await hers.row('预算归档.md').waitFor()
  const his = await enter(day, texts, chen)
  await his.grid.waitFor()
  await his.page.goto(`${day.origin}/doc/folder/files?itemIdStr=s0f-${place}`)
  const words = (files: FilesPage) =>
    files.page.getByRole('dialog', { name: '预算归档.md' }).getByRole('textbox', { name: '预算归档.md' })
  await hers.choose('预算归档.md', texts('editor.menu'))
  await writable(words(hers)).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('东区两个展位')
  await his.choose('预算归档.md', texts('editor.menu'))
  await his.page.getByRole('button', { name: texts('together.join') }).click()
  await words(his).getByText('东区两个展位').waitFor()
  await writable(words(his)).click()
  await his.page.keyboard.press('Control+End')
  await his.page.keyboard.type('，西区一个')
  await words(hers).getByText('东区两个展位，西区一个').waitFor()
  await seen(page, 'together')
  for (const files of [his, hers]) {
    const editor = files.page.getByRole('dialog', { name: '预算归档.md' })
    await editor
      .getByRole('button', { name: texts('box.close'), exact: true })
      .first()
      .click()
    await editor.waitFor({ state: 'detached' })
  }

  // A link is made, opened outside, and sent by mail.
  await hers.choose('预算归档.md', texts('links.menu.create'))
  const create = page.getByRole('dialog', { name: /预算归档/ })
  await create.getByRole('textbox', { name: texts('links.password') }).fill('K7m2')
  await create.getByRole('button', { name: texts('links.create') }).click()
  await create.getByText(texts('links.made')).waitFor()
  await seen(page, 'link')
  await create.getByRole('button', { name: texts('links.mail') }).click()
  const mailing = page.getByRole('dialog', { name: texts.like('links.mail.titleOf') })
  const address = `${day.name.toLowerCase()}@partner.example`
  await mailing.getByRole('textbox', { name: texts('links.mail.to') }).fill(address)
  await mailing.getByRole('button', { name: texts('links.mail.send'), exact: true }).click()
  await page.getByText(texts('links.mail.sent')).waitFor()
  const mail = readMail((await mails.next(({ to }) => to.includes(address))).source)
  const link = /https?:\/\/\S+\/s\/\S+/.exec(mail)?.[0] ?? ''
  expect(link, mail).not.toBe('')
  await page.keyboard.press('Escape')
  const partner = await browser.open(new URL(new URL(link).pathname, company.url).href)
  await partner.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await partner.getByRole('button', { name: '打开' }).click()
  await partner.getByText('东区两个展位，西区一个').waitFor()

  // Somebody who may only look asks for more; she answers.
  const theirs = await enter(day, texts, zhou)
  await theirs.grid.waitFor()
  await theirs.page.goto(`${day.origin}/doc/folder/files?itemIdStr=s0f-${place}`)
  await theirs.choose('预算归档.md', texts('approvals.menu.apply'))
  const apply = theirs.page.getByRole('dialog')
  await apply.getByRole('textbox', { name: texts('approvals.apply.why') }).fill('要带去现场')
  await apply.getByRole('button', { name: texts('approvals.apply.send') }).click()
  await apply.getByText(texts('approvals.apply.sent')).waitFor()
  await page.goto(`${day.origin}/doc/folder/share/auth-review`)
  await page.getByRole('button', { name: /^预算归档\.md/ }).click()
  const review = page.getByRole('dialog', { name: texts.like('approvals.review.titleOf') })
  await review.getByText('要带去现场').waitFor()
  await seen(page, 'review')
  await review.getByRole('button', { name: texts.like('approvals.approve') }).click()
  await review.waitFor({ state: 'detached' })

  // The document is talked about.
  await page.goto(`${day.origin}/doc/folder/files?itemIdStr=s0f-${place}`)
  await hers.choose('预算归档.md', texts('talk.menu.send'))
  const pick = page.getByRole('dialog', { name: texts('talk.window.share') })
  await pick.getByRole('searchbox').fill(names.chen)
  await pick.getByRole('button', { name: names.chen }).first().click()
  await pick.getByRole('button', { name: texts.like('im.sendN') }).click()
  await page.getByText(texts.like('im.sentTo')).waitFor()
  await his.page.goto(`${day.origin}/im/index`)
  await his.page.getByText(names.lin).first().click()
  await his.page.locator('.im-card', { hasText: '预算归档.md' }).first().waitFor()
  await seen(his.page, 'chat')

  // It goes through a workflow.
  await hers.choose('预算归档.md', texts('workflow.menu.launch'))
  const templates = page.getByRole('dialog', { name: texts('workflow.pick.title') })
  await templates.getByRole('option', { name: new RegExp(`合同${day.name}`) }).click()
  await templates.getByRole('button', { name: texts('workflow.next') }).click()
  const launching = page.getByRole('dialog', { name: texts('workflow.launch') })
  await launching.getByRole('textbox', { name: texts('workflow.title') }).fill(`展会预算 ${day.name}`)
  await seen(page, 'workflow')
  await launching.getByRole('button', { name: texts('workflow.act.submit') }).click()
  await page.getByText(texts('workflow.done.launched')).waitFor()
  await his.page.goto(`${day.origin}/doc/folder/cooperate/workflow-pending`)
  const waiting = his.page.getByRole('row', { name: /展会预算/ })
  await waiting.getByRole('button', { name: /展会预算/ }).focus()
  await his.page.keyboard.press('a')
  await waiting.waitFor({ state: 'detached' })

  // She signs on her phone what he has sent.
  const archive = await chen.folder(chen.library, '已签')
  await chen.call('launchSign', {
    ...{ fileId: contractId, archiveFolderId: archive, title: `采购合同 ${day.name}` },
    singerList: [{ userId: lin.userId }],
  })
  const phone = await browser.open(company.url, {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  })
  await phone.evaluate((locale) => localStorage.setItem('locale', locale), day.locale)
  await phone.reload()
  await phone.getByLabel(texts('login.account'), { exact: true }).fill(lin.account)
  await phone.getByLabel(texts('login.password'), { exact: true }).fill(password)
  await phone.getByRole('button', { name: texts('login.submit'), exact: true }).tap()
  await phone.waitForURL(/\/m\/index\.html/)
  await phone
    .getByRole('navigation', { name: texts('mobile.bar') })
    .getByRole('link', { name: texts('mobile.approvals') })
    .tap()
  await phone
    .getByRole('button', { name: texts('mobile.signs') })
    .first()
    .tap()
  await phone.getByRole('button', { name: texts('sign.list.sign'), exact: true }).tap()
  const detail = phone.getByRole('dialog')
  await detail.getByRole('button', { name: texts('sign.act.sign'), exact: true }).tap()
  await detail.getByRole('img', { name: /2/ }).waitFor()
  await detail.getByRole('button', { name: texts('sign.act.sign'), exact: true }).tap()
  await detail.getByLabel(texts('sign.signing.password')).fill(password)
  await seen(phone, 'sign')
  await detail.getByRole('button', { name: texts('sign.signing.do'), exact: true }).tap()
  await phone.getByText(texts('sign.done.signed')).first().waitFor()
  await expect.poll(() => chen.names(archive)).not.toEqual([])

  // What was deleted comes back; she signs out.
  await hers.choose('预算归档.md', texts('drive.menu.delete'))
  await hers.row('预算归档.md').waitFor({ state: 'detached' })
  await expect.poll(() => lin.names(place)).toEqual([])
  await page
    .getByRole('navigation', { name: texts('app.rail') })
    .getByRole('link', { name: texts('app.recycle') })
    .click()
  await hers.row('预算归档.md').click()
  await page.getByRole('button', { name: texts('drive.restore'), exact: true }).click()
  await hers.row('预算归档.md').waitFor({ state: 'detached' })
  expect(await lin.names(place)).toEqual(['预算归档.md'])
  await expectAccessible(page)
  await seen(page, 'restored')
  await page.getByRole('button', { name: new RegExp(texts('account.menu')) }).click()
  await page.getByRole('menuitem', { name: texts('account.signOut') }).click()
  await page.getByRole('button', { name: texts('login.submit'), exact: true }).waitFor()
  await seen(page, 'left')
}

const days: readonly Day[] = [
  { name: 'zh', locale: 'zh', origin: company.url, page: {}, latencyMs: 0 },
  {
    ...{ name: 'zoom', locale: 'en', origin: company.url, latencyMs: 0 },
    // As a browser at 200 % lays it out.
    page: { viewport: { width: laptop.viewport.width / 2, height: laptop.viewport.height / 2 }, deviceScaleFactor: 2 },
  },
  {
    // A host name of the network, where a page is not a secure context.
    ...{ name: 'slow', locale: 'en', origin: company.url.replace('127.0.0.1', 'cloudoc.example'), page: {} },
    latencyMs: 400,
  },
]

for (const day of days) longTest(`a day of an employee is lived through (${day.name})`, () => liveThrough(day))
