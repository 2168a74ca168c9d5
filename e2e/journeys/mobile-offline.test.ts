// The pages for phones without a network: installed shell, files marked as available offline.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { openCompany, type Person, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The server through a line that can be cut: then nothing of the page reaches it, not even its service worker. */
async function cuttable(): Promise<{ url: string; cut: (isCut: boolean) => void }> {
  const port = Number(new URL(company.url).port)
  const sockets = new Set<Socket>()
  let isCut = false
  const line = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    end()
    line.close()
  })
  return {
    url: `http://localhost:${(line.address() as AddressInfo).port}`,
    cut(now) {
      isCut = now
      if (now) end()
    },
  }
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('账号', { exact: true }).fill(person.account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).tap()
  await page.waitForURL(/\/m\/index\.html/)
  await page.getByRole('navigation', { name: '主要页面' }).waitFor()
}

/** Waits until the worker has all that it needs. */
const shellReady = (page: Page): Promise<unknown> =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)

const networkErrors = /Failed to load resource: net::ERR_|WebSocket connection/

test('a marked file opens without a network, is renewed when it is back, and goes with the right and the sign-out', async () => {
  const owner = await company.person('offlineowner', '离线主人')
  const reader = await company.person('offlinereader', '离线读者')
  const folderId = await owner.folder(owner.library, '现场')
  await owner.upload(folderId, '清单.txt', Buffer.from('展位三个'))
  const secretId = await owner.upload(folderId, '内部.txt', Buffer.from('不能带走'))
  await owner.call('setDocRestricted', { fileIdArray: [secretId], restricted: true })
  const line = await cuttable()
  const page = await browser.open(line.url, phone)
  await page.waitForURL(/\/doc\/login/)
  await signIn(page, owner)
  await shellReady(page)

  await page.goto(`${line.url}/m/files/0/${folderId}`)
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `“${name}”的更多操作` }).tap()
    await page.getByRole('dialog', { name }).getByRole('button', { name: action, exact: true }).tap()
  }
  await act('清单.txt', '离线可用')
  await page.getByText('“清单.txt”没有网络也能打开了').waitFor()
  await act('内部.txt', '离线可用')
  await page.getByText('按规定，这个文件不能保存到手机').waitFor()
  await page.goto(`${line.url}/m/offline`)
  const list = page.getByRole('list', { name: '离线可用' })
  await list.getByRole('button', { name: /^清单\.txt/ }).waitFor()
  expect(await list.getByRole('button', { name: /^内部\.txt/ }).count()).toBe(0)
  await expectAccessible(page)

  // Without a network the page is opened from nothing but what the phone has.
  line.cut(true)
  await page.context().setOffline(true)
  await page.goto(`${line.url}/m/index.html`)
  await page.getByRole('heading', { name: '离线浏览' }).waitFor()
  await page.getByRole('button', { name: /^清单\.txt/ }).tap()
  await page.getByText('展位三个').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: '关闭' }).tap()

  // Meanwhile it was changed: the copy is renewed.
  await owner.upload(folderId, '清单.txt', Buffer.from('展位五个'), { conflict: 'version', expectedVersion: '1' })
  line.cut(false)
  await page.context().setOffline(false)
  await page.getByRole('navigation', { name: '主要页面' }).waitFor()
  await page.goto(`${line.url}/m/offline`)
  await page.getByText(/第 2 版/).waitFor()

  // Nothing of one account is there for another, nor after signing out.
  const copies = (): Promise<number> =>
    page.evaluate(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name = '' }) => (/offline|kept/.test(name) ? [name] : []))
      const counts = names.map(
        (name) =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open(name)
            opening.onerror = () => reject(new Error(name))
            opening.onsuccess = () => {
              const all = opening.result.transaction('content').objectStore('content').count()
              all.onsuccess = () => {
                opening.result.close()
                resolve(all.result)
              }
            }
          }),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    })
  expect(await copies()).toBe(1)
  await page.goto(`${line.url}/m/me`)
  await page.getByRole('button', { name: '退出登录' }).tap()
  await page.waitForURL(/\/doc\/login/)
  expect(await copies()).toBe(0)
  await page.goto(`${line.url}/m/index.html`)
  await page.waitForURL(/\/doc\/login/)
  await signIn(page, reader)
  line.cut(true)
  await page.context().setOffline(true)
  await page.goto(`${line.url}/m/index.html`)
  await page.getByRole('heading', { name: '离线浏览' }).waitFor()
  expect(await page.getByRole('button', { name: /^清单\.txt/ }).count()).toBe(0)
  const left = browser.problems.filter((problem) => !networkErrors.test(problem))
  browser.problems.splice(0, browser.problems.length, ...left)
})

test('on plain HTTP the page says what is missing', async () => {
  const owner = await company.person('plainowner', '明文主人')
  const page = await browser.open(company.url.replace(/localhost|127\.0\.0\.1/, 'cloudoc.example'), phone)
  await page.waitForURL(/\/doc\/login/)
  await signIn(page, owner)
  await page.goto(new URL('/m/offline', page.url()).href)
  await page.getByText('此处不是加密连接（HTTPS）', { exact: false }).waitFor()
})
