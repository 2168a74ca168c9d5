// Documents go through people: a template with a parallel branch is drawn and simulated, a contract is launched from its
// file, passed, sent back, corrected and archived; each person in a browser of their own or by calls.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `workflow-${name}.png`) })
}

// Names that no other file gives: files on one server find each other's people.
const anna = await company.person('wf-anna', '流程安娜')
const law = await company.person('wf-law', '流程何律')
const money = await company.person('wf-money', '流程陈晓')
const boss = await company.person('wf-boss', '流程刘总')

async function chooseHandler(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '添加处理人' }).click()
  await page.getByRole('menuitem', { name: '指定人员…' }).click()
  const pick = page.getByRole('dialog', { name: '指定人员…' })
  await pick.getByRole('combobox').fill(name)
  await pick
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click()
  await pick.getByRole('button', { name: '确定' }).click()
}

// [R052] The pages workflow-creation, workflow-pending, workflow-circulating and workflow-archived show live data.
// [R269] The window and the page of workflow templates list them; they are drawn, checked, published, disabled, deleted.
// [R075] The windows of a workflow template (480x500) and of the detail (930x580) have the documented sizes.
test('[R052] [R075] [R269] a template is drawn, simulated and published, and a contract goes through it', async () => {
  const admins = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  const page = admins.page
  await page.goto(`${company.url}/doc/admin/workflow?templateId=0`)
  await page.getByRole('textbox', { name: '模板名称' }).fill('合同审批')
  // The node that is there, and a parallel pair after it, put in by the list.
  await page.getByRole('button', { name: /^处理/ }).first().click()
  await page.getByRole('textbox', { name: '名称', exact: true }).fill('法务审核')
  await chooseHandler(page, '流程何律')
  await page.getByRole('button', { name: '在“法务审核”之后插入' }).click()
  await page.getByRole('menuitem', { name: '并行分支' }).click()
  await picture(page, 'drawn')
  await page
    .getByText(/处需要修改/)
    .first()
    .waitFor()
  for (const [n, who] of [
    [0, '流程陈晓'],
    [1, '流程刘总'],
  ] as const) {
    await page.locator('.we-outline li > button:first-child').filter({ hasText: '还没有处理人' }).first().click()
    await page.getByRole('textbox', { name: '名称', exact: true }).fill(n === 0 ? '财务会签' : '总经理')
    await chooseHandler(page, who)
  }
  await page.getByRole('button', { name: '试运行' }).click()
  await page.getByText('没有断头路').waitFor()
  await picture(page, 'simulated')
  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await page.getByRole('button', { name: '发布版本 1' }).click()
  await page.getByText('版本 1 已发布').waitFor()
  await page.getByText('合同审批').first().waitFor()
  await picture(page, 'templates')

  // Launched from the file.
  await anna.upload(anna.library, '渠道协议.txt', Buffer.from('第一条'))
  const hers = await new LoginPage(await browser.open(company.url)).signIn(anna.account, password)
  await hers.choose('渠道协议.txt', '发起审批…')
  const pick = hers.page.getByRole('dialog', { name: /选择流程模板/ })
  await pick.getByRole('option', { name: /合同审批/ }).waitFor()
  await expect.poll(() => pick.boundingBox()).toMatchObject({ width: 480, height: 500 })
  await picture(hers.page, 'pick')
  await expectAccessible(hers.page)
  await pick.getByRole('button', { name: '下一步' }).click()
  const detail = hers.page.getByRole('dialog', { name: '发起审批' })
  await detail.getByText('法务审核').waitFor()
  await expect.poll(() => detail.boundingBox()).toMatchObject({ width: 930, height: 580 })
  await detail.getByRole('textbox', { name: '标题' }).fill('')
  await detail.getByRole('button', { name: '提交审批' }).click()
  await detail.getByText('请填写标题').waitFor()
  await picture(hers.page, 'launch-error')
  await detail.getByRole('textbox', { name: '标题' }).fill('华东渠道协议')
  await detail.getByRole('button', { name: '提交审批' }).click()
  await hers.page.getByText('已提交审批').waitFor()

  // Law passes by the keyboard in the list.
  const theirs = await new LoginPage(await browser.open(company.url)).signIn(law.account, password)
  await theirs.page.goto(`${company.url}/doc/folder/cooperate/workflow-pending`)
  await theirs.page.getByRole('row', { name: /华东渠道协议/ }).waitFor()
  await picture(theirs.page, 'pending')
  await expectAccessible(theirs.page)
  await theirs.page
    .getByRole('row', { name: /华东渠道协议/ })
    .getByRole('button', { name: /华东渠道协议/ })
    .focus()
  await theirs.page.keyboard.press('a')
  await theirs.page.getByText('没有要处理的流程').waitFor()

  // The boss opens it and sends it back to law, finance is asked anew after that.
  const his = await new LoginPage(await browser.open(company.url)).signIn(boss.account, password)
  await his.page.goto(`${company.url}/doc/folder/cooperate/workflow-pending`)
  await his.page
    .getByRole('row', { name: /华东渠道协议/ })
    .getByRole('button', { name: /华东渠道协议/ })
    .click()
  const window = his.page.getByRole('dialog', { name: /审批/ })
  await window.getByText('第 ').first().waitFor()
  await picture(his.page, 'detail')
  await expectAccessible(his.page)
  await window.getByRole('textbox', { name: '意见' }).fill('第 4 条请再看')
  await window.getByRole('button', { name: '退回' }).click()
  const back = his.page.getByRole('dialog', { name: '退回' })
  await back.getByRole('radio', { name: '法务审核' }).check()
  await picture(his.page, 'send-back')
  await back.getByRole('button', { name: '退回' }).last().click()
  await his.page.getByText('没有要处理的流程').waitFor()
  const passBy = async (person: typeof law): Promise<void> => {
    const { list } = await person.call('getProcessList', { list: 'pending' })
    for (const { processId, taskId, rev } of list) await person.call('passNode', { processId, taskId, rev })
  }
  for (const person of [law, money, boss]) await passBy(person)
  await hers.page.goto(`${company.url}/doc/folder/cooperate/workflow-creation`)
  await hers.page.getByRole('row', { name: /华东渠道协议.*已通过/ }).waitFor()
  await picture(hers.page, 'creation')
})

// [R052] A process is found in each of the four workflow pages in its time.
// [R264] In the browser too: five people, the attachment replaced on the way, sent back, passed and archived.
// [R105] A click on a notice of a workflow opens the detail of the process, of which there is one window.
test('[R052] [R105] [R264] five people pass a contract, with a replaced attachment and a way back, to the archive', async () => {
  const market = await company.person('wf-market', '流程雅琴')
  const archive = await company.sharedFolder('流程归档', 2 + 4 + 8 + 16, [anna, boss])
  const node = (id: string, name: string, person: typeof anna, mayReplace = false) => ({
    ...({ id, name, type: 'task', refusal: 'ends', deadline: null, mayReplace } as const),
    handlers: [{ by: 'people' as const, ids: [person.userId] }],
    ...{ need: { of: 'one' as const, count: 1 }, empty: { to: 'superior' as const } },
  })
  const edges = ['start law', 'law fork', 'fork money', 'fork market', 'money join', 'market join', 'join boss']
  const { templateId } = await company.admin.call('saveProcessTemplate', {
    ...{ templateId: 0, templateName: '归档合同', baseVersion: 0 },
    body: {
      nodes: [
        { id: 'start', name: '发起', type: 'start' },
        node('law', '法务审核', law, true),
        { id: 'fork', name: '同时进行', type: 'fork' },
        node('money', '财务会签', money),
        node('market', '市场会签', market),
        { id: 'join', name: '汇合', type: 'join' },
        node('boss', '总经理', boss),
        { id: 'archive', name: '归档', type: 'archive', folderId: archive, pattern: '{title}' },
        { id: 'end', name: '结束', type: 'end' },
      ],
      edges: [...edges, 'boss archive', 'archive end'].map((edge) => {
        const [from = '', to = ''] = edge.split(' ')
        return { id: `${from}-${to}`, from, to, when: [], otherwise: false }
      }),
      ...{ fields: [], launcherDecides: false, skipsSame: false },
    },
  })
  await company.admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })
  const fileId = await anna.upload(anna.library, '苏南协议.txt', Buffer.from('账期 60 天'))
  await law.upload(law.library, '苏南协议（法务改）.txt', Buffer.from('账期 45 天'))
  const { processId } = await anna.call('createProcess', { templateId, title: '苏南渠道协议', fileId })
  await anna.call('launchProcess', { processId })

  const pages = new Map<string, Page>()
  const pending = async (person: typeof anna): Promise<Page> => {
    const known = pages.get(person.account)
    const page = known ?? (await new LoginPage(await browser.open(company.url)).signIn(person.account, password)).page
    pages.set(person.account, page)
    await page.goto(`${company.url}/doc/folder/cooperate/workflow-pending`)
    await page.getByRole('row', { name: /苏南渠道协议/ }).waitFor()
    return page
  }
  const open = async (page: Page) => {
    await page
      .getByRole('row', { name: /苏南渠道协议/ })
      .getByRole('button', { name: /苏南渠道协议/ })
      .click()
    return page.getByRole('dialog', { name: /审批/ })
  }
  const passByKey = async (person: typeof anna): Promise<void> => {
    const page = await pending(person)
    await page
      .getByRole('row', { name: /苏南渠道协议/ })
      .getByRole('button', { name: /苏南渠道协议/ })
      .focus()
    await page.keyboard.press('a')
    await page.getByRole('row', { name: /苏南渠道协议/ }).waitFor({ state: 'detached' })
  }

  // Law puts another text in the place of the attachment, then passes it.
  const hers = await pending(law)
  const window = await open(hers)
  await window.getByRole('button', { name: '更多' }).click()
  await hers.getByRole('menuitem', { name: '替换附件…' }).click()
  const pick = hers.getByRole('dialog', { name: '替换附件…' })
  await pick.getByTitle('苏南协议（法务改）.txt').first().click()
  await pick.getByRole('button', { name: /^(确定|选择)/ }).click()
  await window.getByText('版本 2').first().waitFor()
  await picture(hers, 'replaced')
  await window.getByRole('textbox', { name: '意见' }).fill('账期改为 45 天')
  await window.getByRole('button', { name: '通过', exact: true }).click()
  await hers.getByRole('row', { name: /苏南渠道协议/ }).waitFor({ state: 'detached' })

  // Finance passes; marketing sends it back to law, which voids what finance said.
  await passByKey(money)
  const theirs = await pending(market)
  const seen = await open(theirs)
  await seen.getByRole('textbox', { name: '意见' }).fill('返利口径再看一下')
  await seen.getByRole('button', { name: '退回' }).click()
  const back = theirs.getByRole('dialog', { name: '退回' })
  await back.getByRole('radio', { name: '法务审核' }).check()
  await back.getByText(/以下意见会作废.*流程陈晓/).waitFor()
  await back.getByRole('button', { name: '退回' }).last().click()
  await theirs.getByRole('row', { name: /苏南渠道协议/ }).waitFor({ state: 'detached' })
  for (const person of [law, money, market]) await passByKey(person)
  // The last is led to it by the notice.
  const his = (await new LoginPage(await browser.open(company.url)).signIn(boss.account, password)).page
  await followNotice(his, /苏南渠道协议/)
  const last = his.getByRole('dialog', { name: /审批 — 苏南渠道协议/ })
  await last.getByRole('button', { name: '通过', exact: true }).click()
  await last.waitFor({ state: 'detached' })

  // The file, the form and the course are in the archive folder.
  const annas = (await new LoginPage(await browser.open(company.url)).signIn(anna.account, password)).page
  await annas.goto(`${company.url}/doc/folder/cooperate/workflow-archived`)
  await annas.getByRole('row', { name: /苏南渠道协议.*已通过/ }).waitFor({ timeout: 60_000 })
  await picture(annas, 'archived')
  const names = await boss.names(archive)
  expect(names.toSorted()).toEqual(['苏南渠道协议-审批记录.pdf', '苏南渠道协议-表单.pdf', '苏南渠道协议.txt'])
  const ids = await boss.idsIn(archive)
  expect((await boss.download(ids.get('苏南渠道协议.txt') ?? 0)).toString()).toBe('账期 45 天')
  expect((await boss.download(ids.get('苏南渠道协议-审批记录.pdf') ?? 0)).subarray(0, 5).toString()).toBe('%PDF-')
})

test('what was not passed is launched again with its values and its file', async () => {
  const node = {
    ...({ id: 'one', name: '审核', type: 'task', refusal: 'ends', deadline: null, mayReplace: false } as const),
    handlers: [{ by: 'people' as const, ids: [law.userId] }],
    ...{ need: { of: 'one' as const, count: 1 }, empty: { to: 'superior' as const } },
  }
  const { templateId } = await company.admin.call('saveProcessTemplate', {
    ...{ templateId: 0, templateName: '再次发起', baseVersion: 0 },
    body: {
      nodes: [{ id: 'start', name: '发起', type: 'start' }, node, { id: 'end', name: '结束', type: 'end' }],
      edges: ['start one', 'one end'].map((edge) => {
        const [from = '', to = ''] = edge.split(' ')
        return { id: `${from}-${to}`, from, to, when: [], otherwise: false }
      }),
      fields: [{ id: 'sum', name: '金额', type: 'money', required: true, choices: [] }],
      ...{ launcherDecides: false, skipsSame: false },
    },
  })
  await company.admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })
  const fileId = await anna.upload(anna.library, '采购单.txt', Buffer.from('十台'))
  const form = [{ field: 'sum', value: '1200.00' }]
  const { processId } = await anna.call('createProcess', { templateId, title: '采购十台', fileId, form })
  await anna.call('launchProcess', { processId })
  const { list } = await law.call('getProcessList', { list: 'pending', keyword: '采购十台' })
  for (const { taskId, rev } of list) await law.call('failNode', { processId, taskId, rev, comments: '太多' })

  const { page } = await new LoginPage(await browser.open(company.url)).signIn(anna.account, password)
  await page.goto(`${company.url}/doc/folder/cooperate/workflow-creation`)
  await page
    .getByRole('row', { name: /采购十台/ })
    .getByRole('button', { name: /采购十台/ })
    .click()
  await page.getByRole('dialog', { name: /审批/ }).getByRole('button', { name: '再次发起' }).click()
  const again = page.getByRole('dialog', { name: '发起审批' })
  await expect.poll(() => again.getByRole('textbox', { name: '标题' }).inputValue()).toBe('采购十台')
  expect(await again.getByRole('textbox', { name: /金额/ }).inputValue()).toBe('1200.00')
  await again.getByText('采购单.txt').waitFor()
  await again.getByRole('button', { name: '提交审批' }).click()
  await page.getByText('已提交审批').waitFor()
  const { list: both } = await anna.call('getProcessList', { list: 'creation', keyword: '采购十台' })
  expect(both.map(({ state, fileId: of }) => [state, of])).toEqual([
    ['running', fileId],
    ['failed', fileId],
  ])
})

longTest(
  '[R269] two administrators draw one template: nothing drawn is lost, and nobody publishes over the other',
  async () => {
    const second = await company.person('wf-second', '流程管理员')
    const holders = (userIds: number[]) => company.admin.call('setPowerHolders', { power: 'system', userIds })
    await holders([second.userId])
    const body = (node: string) => ({
      nodes: [
        { id: 'start', name: '发起', type: 'start' as const },
        {
          ...({ id: 'one', name: node, type: 'task', refusal: 'ends', deadline: null, mayReplace: false } as const),
          handlers: [{ by: 'people' as const, ids: [law.userId] }],
          ...{ need: { of: 'one' as const, count: 1 }, empty: { to: 'superior' as const } },
        },
        { id: 'end', name: '结束', type: 'end' as const },
      ],
      edges: [
        { id: 'a', from: 'start', to: 'one', when: [], otherwise: false },
        { id: 'b', from: 'one', to: 'end', when: [], otherwise: false },
      ],
      ...{ fields: [], launcherDecides: true, skipsSame: false },
    })
    const base = { templateName: '付款审批', templateId: 0, baseVersion: 0, body: body('复核') }
    const { templateId } = await company.admin.call('saveProcessTemplate', base)
    await company.admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })

    const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
    await page.goto(`${company.url}/doc/admin/workflow?templateId=${templateId}`)
    await page.getByRole('button', { name: /^复核/ }).first().click()
    await page.getByRole('textbox', { name: '名称', exact: true }).fill('主管复核')
    await page.getByText('有未保存的修改').waitFor()
    // The tab is closed by mistake.
    await page.reload()
    await page.getByText('已恢复你上次没有保存的修改').waitFor()
    await page
      .getByRole('button', { name: /^主管复核/ })
      .first()
      .waitFor()

    // Somebody else publishes meanwhile.
    await second.call('saveProcessTemplate', { ...base, templateId, baseVersion: 1, body: body('财务复核') })
    await second.call('publishProcessTemplate', { templateId, baseVersion: 1 })
    await page.getByRole('button', { name: '保存草稿' }).click()
    const behind = page.getByRole('alert').filter({ hasText: '流程管理员' })
    await behind.getByText('修改节点“财务复核”').waitFor()
    await picture(page, 'behind')
    await expectAccessible(page)
    await behind.getByRole('button', { name: '以我的修改为准，接在版本 2 之后' }).click()
    await behind.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '发布版本 3' }).click()
    const sure = page.getByRole('dialog', { name: '发布版本 3' })
    await sure.getByText('修改节点“主管复核”').waitFor()
    await picture(page, 'publish')
    await sure.getByRole('button', { name: '确定' }).click()
    await page.getByText('版本 3 已发布').waitFor()
    await holders([])
  },
)
