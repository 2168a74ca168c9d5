// Two people: one comments and mentions the other, who answers live; then one tags two files at once.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, lu] = [await company.person('hand-xia', '手林夏'), await company.person('hand-lu', '手何律')]
const shared = await company.sharedFolder('手边的合同', rightsGroup.edit, [xia, lu])
const fileId = await xia.upload(shared, '渠道协议.txt', Buffer.from('第 4 条'))
await xia.upload(shared, '付款台账.txt', Buffer.from('1'))
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

// [R054] History, locked, submit and change have an address each.
// [R236] The window of tags, and their chips in rows.
test('[R054] [R236] [R237] comments reach who is meant and come by themselves, tags are set on two files at once and stand in their rows; what was done of late has its pages', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  const folder = `${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`
  await page.goto(folder)
  await files.row('渠道协议.txt').waitFor()

  // A comment with a rating that mentions a person.
  await files.choose('渠道协议.txt', '评论')
  const comments = page.getByRole('dialog', { name: /评论 — 渠道协议/ })
  await comments.getByText('还没有评论').waitFor()
  const field = comments.getByRole('textbox', { name: '写评论' })
  await field.pressSequentially('第 4 条请确认 @shl')
  await comments.getByRole('option', { name: /手何律/ }).waitFor()
  await picture(page, 'comments-pick')
  await expectAccessible(page)
  await field.press('Enter')
  await comments.locator('[data-star="4"]').click()
  await field.press('Control+Enter')
  await comments.getByText('1 人评分').waitFor()
  await expect.poll(async () => (await lu.call('getNoticeList', { group: 'instantMessage' })).list.length).toBe(1)

  // The answer appears without a reload.
  const [thread] = (await lu.call('getCommentList', { fileId })).list
  await lu.call('addComment', { fileId, comment: '可以，从一月起', parentCommentId: thread?.commentId })
  await comments.getByText('可以，从一月起').waitFor()
  await picture(page, 'comments')
  await page.keyboard.press('Escape')
  await comments.waitFor({ state: 'detached' })

  // Tags both files at once, with a new coloured tag.
  await files.select('渠道协议.txt', '付款台账.txt')
  await page.getByRole('toolbar').getByRole('button', { name: '标签' }).click()
  const tags = page.getByRole('dialog', { name: '标签 — 2 个项目' })
  await tags.getByRole('combobox', { name: '添加标签' }).fill('合同')
  await page.getByRole('radio', { name: '绿' }).click()
  await picture(page, 'tags-new')
  await tags.getByRole('combobox', { name: '添加标签' }).press('Enter')
  await expectAccessible(page)
  await tags.getByRole('button', { name: '保存到 2 项' }).click()
  await tags.waitFor({ state: 'detached' })
  await files.row('渠道协议.txt').getByText('合同').waitFor()

  // Recent activity; each list has its own address.
  await page.goto(`${company.url}/doc/folder/recently`)
  await page.waitForURL('**/doc/folder/recently/history')
  await page.getByRole('link', { name: /^提交/ }).click()
  await page.waitForURL('**/doc/folder/recently/submit')
  await files.row('付款台账.txt').waitFor()
  await page.getByRole('link', { name: /^锁定/ }).click()
  await page.getByText('没有锁定的文件').waitFor()
  await page.getByRole('link', { name: /^改动/ }).click()
  await page.waitForURL('**/doc/folder/recently/change')
})
