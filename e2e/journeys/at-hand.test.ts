// Two people: one comments and names the other, who answers live; tags on two files at once and their list; a star by
// dragging; what was opened of late, and going on with it.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoBarrier } from '../barriers.ts'
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

test('[R054] [R077] [R236] [R237] [R238] [R249] comments reach who is meant, tags and stars are set and listed, and one goes on where one was', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  const folder = `${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`
  await page.goto(folder)
  await files.row('渠道协议.txt').waitFor()

  // A comment, with stars, for somebody.
  await files.choose('渠道协议.txt', '评论')
  const comments = page.getByRole('dialog', { name: /评论 — 渠道协议/ })
  await comments.getByText('还没有评论').waitFor()
  const field = comments.getByRole('textbox', { name: '写评论' })
  await field.pressSequentially('第 4 条请确认 @shl')
  await comments.getByRole('option', { name: /手何律/ }).waitFor()
  await picture(page, 'comments-pick')
  await expectNoBarrier(page)
  await field.press('Enter')
  await comments.locator('[data-star="4"]').click()
  await field.press('Control+Enter')
  await comments.getByText('1 人评分').waitFor()
  await expect.poll(async () => (await lu.call('getNoticeList', { group: 'instantMessage' })).list.length).toBe(1)

  // The answer comes by itself.
  const [thread] = (await lu.call('getCommentList', { fileId })).list
  await lu.call('addComment', { fileId, comment: '可以，从一月起', parentCommentId: thread?.commentId })
  await comments.getByText('可以，从一月起').waitFor()
  await picture(page, 'comments')
  await page.keyboard.press('Escape')
  await comments.waitFor({ state: 'detached' })

  // Tags on both files at once: one that is made, with its colour.
  await files.select('渠道协议.txt', '付款台账.txt')
  await page.getByRole('toolbar').getByRole('button', { name: '标签' }).click()
  const tags = page.getByRole('dialog', { name: '标签 — 2 个项目' })
  await tags.getByRole('combobox', { name: '添加标签' }).fill('合同')
  await page.getByRole('radio', { name: '绿' }).click()
  await picture(page, 'tags-new')
  await tags.getByRole('combobox', { name: '添加标签' }).press('Enter')
  await expectNoBarrier(page)
  await tags.getByRole('button', { name: '保存到 2 项' }).click()
  await tags.waitFor({ state: 'detached' })
  await files.row('渠道协议.txt').getByText('合同').waitFor()
  await files.select('渠道协议.txt')
  await files.choose('渠道协议.txt', '标签')
  await page
    .getByRole('dialog', { name: /标签 — 渠道协议/ })
    .getByText('合同')
    .waitFor()
  await picture(page, 'tags')
  await page.keyboard.press('Escape')

  // A star by dragging onto the favourites.
  await files
    .row('渠道协议.txt')
    .getByTitle('渠道协议.txt')
    .dragTo(page.getByRole('link', { name: '收藏' }))
  await files.row('渠道协议.txt').getByRole('img', { name: '已收藏' }).waitFor()
  await picture(page, 'files-marked')
  await page.getByRole('link', { name: '收藏' }).click()
  await files.row('渠道协议.txt').waitFor()
  await expectNoBarrier(page)
  await page.getByRole('navigation', { name: '快速访问' }).getByRole('link', { name: '标签' }).click()
  await page.getByRole('button', { name: /合同/ }).click()
  await files.row('付款台账.txt').waitFor()
  await picture(page, 'tagged')
  await expectNoBarrier(page)

  // What was opened, and going on with it after coming back.
  await lu.call('getDocumentPreviewURL', { fileId })
  await xia.call('getDocumentPreviewURL', { fileId })
  await page.getByRole('navigation', { name: '快速访问' }).getByRole('link', { name: '最近' }).click()
  await files.row('渠道协议.txt').getByText('预览').waitFor()
  await picture(page, 'recent')
  await expectNoBarrier(page)
  await page.getByRole('link', { name: '提交' }).click()
  await files.row('付款台账.txt').waitFor()
  await page.goto(`${company.url}/doc/folder/files`)
  await page
    .getByRole('region', { name: '继续上次的工作' })
    .getByRole('button', { name: /渠道协议/ })
    .waitFor()
  await picture(page, 'resume')
  if (pictures === undefined) return
  await page.evaluate(() => {
    localStorage.setItem('skin', 'black')
    localStorage.setItem('locale', 'en')
  })
  await page.goto(folder)
  await files.row('渠道协议.txt').click()
  await page.keyboard.press('Alt+P')
  await page.getByRole('tab', { name: /Comments/ }).click()
  await page.getByText('可以，从一月起').waitFor()
  await picture(page, 'panel-black')
  await files.choose('渠道协议.txt', 'Tags')
  await page.getByRole('dialog').getByText('合同').waitFor()
  await picture(page, 'tags-black')
  await page.getByRole('button', { name: 'Manage tags' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await picture(page, 'manage-black')
  await page.goto(`${company.url}/doc/folder/recently/history`)
  await files.row('渠道协议.txt').waitFor()
  await picture(page, 'recent-black')
})
