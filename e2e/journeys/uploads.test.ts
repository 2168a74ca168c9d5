// Many files at once: progress, name conflicts, refused names; deleting several, and a partially failing batch.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()

const count = 200
const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
const nameOf = (n: number): string => `巡检记录 ${String(n).padStart(3, '0')}.txt`

test('[R144] of 200 uploaded files each taken name is answered on its own, a refused name is listed, the rest arrives', async () => {
  const lin = await company.person('linxia', '林夏')
  const before = new Map<string, number>()
  for (const n of [1, 2, 3]) before.set(nameOf(n), await lin.upload(lin.library, nameOf(n), Buffer.from('旧')))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  const { page } = files

  // The first uploads are blocked, so that the panel can be read.
  const arrived = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  await page.route(/services2\/upload\/(raw|uploadOpen)/, async (route) => {
    arrived.resolve()
    await goOn.promise
    await route.continue()
  })
  const chosen = Array.from({ length: count - 1 }, (_, i) => textFile(nameOf(i + 1), `新 ${i + 1}`))
  await files.chooseFiles([...chosen, textFile('温度<40.txt', '热')])

  const dialog = files.dialog('上传到 林夏：3 个文件同名')
  await dialog.getByRole('checkbox', { name: '对其余 2 项都这样做' }).uncheck()
  for (const [i, answer] of ['覆盖为新版本', '保留两者', '跳过'].entries()) {
    await dialog.getByRole('button', { name: nameOf(i + 1) }).click()
    await dialog.getByRole('radio', { name: answer }).check()
    await dialog.getByRole('button', { name: '继续' }).click()
  }
  await dialog.waitFor({ state: 'detached' })
  await arrived.promise
  await files.transfers.getByText(`正在上传，已传 0 / ${count - 1} 个文件`).waitFor()
  await page.getByRole('button', { name: new RegExp(`^${count - 2}`) }).waitFor()
  goOn.resolve()

  await files.transfers.getByText(`成功 ${count - 2} 个，未成功 1 个`).waitFor({ timeout: 100_000 })
  await files.transfers.getByRole('button', { name: '查看' }).click()
  await files.dialog('传输详情').getByTitle('温度<40.txt').waitFor()
  await files.dialog('传输详情').getByText('名称不合法。请改名后再上传').waitFor()
  const names = await lin.names(lin.library)
  // 199 names plus the numbered one; the refused one is missing.
  expect(names).toHaveLength(count)
  expect(names).toContain('巡检记录 002 (2).txt')
  const textIn = async (name: string): Promise<string> => {
    const fileId = (await lin.idsIn(lin.library)).get(name) ?? 0
    return (await lin.download(fileId)).toString()
  }
  expect(await textIn(nameOf(1))).toBe('新 1')
  expect(await textIn(nameOf(2))).toBe('旧')
  expect(await textIn('巡检记录 002 (2).txt')).toBe('新 2')
  expect(await textIn(nameOf(3))).toBe('旧')
  expect((await lin.call('getFileInfo', { fileId: before.get(nameOf(1)) ?? 0 })).version).toBe(2)
})

longTest('[R144] one answer serves all taken names', async () => {
  const chen = await company.person('chenxiao', '陈晓')
  const chosen = [1, 2, 3, 4].map((n) => textFile(nameOf(n), `${n}`))
  for (const { name } of chosen) await chen.upload(chen.library, name, Buffer.from('旧'))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
  await files.row(nameOf(4)).waitFor()
  await files.chooseFiles(chosen)
  const dialog = files.dialog('上传到 陈晓：4 个文件同名')
  await dialog.getByRole('radio', { name: '保留两者' }).check()
  await dialog.getByRole('button', { name: '继续' }).click()
  await files.transfers.getByText('已上传 4 个文件').waitFor()
  await files.row('巡检记录 004 (2).txt').waitFor()
  expect(await chen.names(chen.library)).toHaveLength(8)
})

test('[R121] [R244] several deleted rows come back by the toast’s own button', async () => {
  const wang = await company.person('wangmin', '王敏')
  for (const n of [1, 2, 3, 4]) await wang.upload(wang.library, nameOf(n), Buffer.from(`${n}`))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('wangmin'), password)
  await files.select(nameOf(1), nameOf(2), nameOf(4))
  await files.page.keyboard.press('Delete')
  await files.row(nameOf(4)).waitFor({ state: 'detached' })
  await expect.poll(() => files.names()).toEqual([nameOf(3)])
  await expect.poll(() => wang.names(wang.library)).toEqual([nameOf(3)])
  await files.toasts.getByRole('button', { name: '撤销' }).click()
  for (const n of [1, 2, 4]) await files.row(nameOf(n)).waitFor()
  await expect.poll(() => wang.names(wang.library)).toEqual([1, 2, 3, 4].map(nameOf))
})

// [R126] After a partly failed move, a dialog lists each failed item with its reason.
longTest('[R126] a move of which a part fails lists what stayed, each with its reason', async () => {
  const ma = await company.person('malin', '马琳')
  const folderId = await company.sharedFolder('预算', rightsGroup.edit, [ma])
  const target = await ma.folder(folderId, '归档')
  await ma.upload(target, '一季度.txt', Buffer.from('旧'))
  for (const name of ['一季度.txt', '二季度.txt', '三季度.txt']) await ma.upload(folderId, name, Buffer.from(name))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('malin'), password)
  await files.goTo('公司文档')
  await files.openFolder('预算')
  await files.select('一季度.txt', '二季度.txt', '三季度.txt')
  await files.page.keyboard.press('Control+x')
  await files.openFolder('归档')
  await files.page.keyboard.press('Control+v')
  const result = files.dialog('处理结果')
  await result.getByText('没有全部移动：3 项中有 1 项未成功').waitFor()
  expect(await result.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('一季度.txt')])
  await result.getByRole('button', { name: '知道了' }).click()
  await files.row('三季度.txt').waitFor()
  expect(await ma.names(folderId)).toEqual(['归档', '一季度.txt'])
})
