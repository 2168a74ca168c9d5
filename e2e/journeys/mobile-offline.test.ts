// The pages for phones without a network: installed shell, files marked as available offline.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { FilesPage } from '../pages/files-page.ts'
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

/** Changes a file of the kept shell whose address ends so. */
const spoilShell = (page: Page, end: string, content: string, type: string): Promise<number> =>
  page.evaluate(
    async ([ending, text, mime]) => {
      let count = 0
      for (const name of await caches.keys()) {
        if (!name.startsWith('cloudoc-shell')) continue
        const cache = await caches.open(name)
        for (const request of await cache.keys()) {
          if (!new RegExp(ending ?? '').test(new URL(request.url).pathname)) continue
          await cache.put(request, new Response(text, { headers: { 'content-type': mime ?? '' } }))
          count += 1
        }
      }
      return count
    },
    [end, content, type],
  )

test('the page of the server goes before the kept one, and a kept shell that does not start is dropped and loaded again', async () => {
  const owner = await company.person('shellowner', '外壳主人')
  const line = await cuttable()
  const page = await browser.open(line.url, phone)
  await signIn(page, owner)
  await shellReady(page)
  const tabs = page.getByRole('navigation', { name: '主要页面' })
  await page.reload()
  await tabs.waitFor()
  const kept = (): Promise<number> =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('cloudoc-shell-precache'))
      const each = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
      return each.reduce((sum, count) => sum + count, 0)
    })
  const whole = await kept()
  expect(whole).toBeGreaterThan(10)
  // As a release would be that the server does not have any more.
  const old = '<!doctype html><title>old</title><h1>旧页面</h1>'
  expect(await spoilShell(page, '/m/index\\.html$', old, 'text/html; charset=utf-8')).toBe(1)
  await page.goto(`${line.url}/m/index.html`)
  await tabs.waitFor()

  // Otherwise the page would take the script from its own memory.
  const driver = await page.context().newCDPSession(page)
  await driver.send('Network.enable')
  await driver.send('Network.setCacheDisabled', { cacheDisabled: true })
  const broken = 'throw new Error("spoiled")'
  expect(await spoilShell(page, '/assets/index-[^/]*\\.js$', broken, 'text/javascript')).toBeGreaterThan(0)
  await page.goto(`${line.url}/m/index.html`)
  // Without what the page does about it nothing would ever be there.
  await tabs.waitFor()
  expect(browser.problems.filter((problem) => problem.includes('spoiled'))).not.toEqual([])
  await expect.poll(kept).toBe(whole)
  line.cut(true)
  await page.context().setOffline(true)
  await page.goto(`${line.url}/m/index.html`)
  await page.getByRole('heading', { name: '离线浏览' }).waitFor()
  const left = browser.problems.filter((problem) => !networkErrors.test(problem) && !problem.includes('spoiled'))
  browser.problems.splice(0, browser.problems.length, ...left)
})

const tablet = {
  ...{ viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
  userAgent:
    'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
}

// [R375] On a tablet the desktop page is offered, and the choice is remembered.
test('[R375] a tablet finds, reads, decides, opens what it keeps without a network, and remembers the desktop page', async () => {
  const owner = await company.person('tabletlin', '林平板')
  const asker = await company.person('tabletgao', '高申请')
  const folderId = await owner.folder(owner.library, '展会')
  const fileId = await owner.upload(folderId, '展位.txt', Buffer.from('展位七个'))
  const subjects = [{ subjectType: 'user' as const, subjectId: asker.userId }]
  await owner.call('shareItems', { folderIdArray: [folderId], subjects, rights: rightsGroup.preview })
  await asker.call('authorizationApply', { fileId, right: rightsGroup.download, comments: '要打印' })
  const line = await cuttable()
  const page = await browser.open(line.url, tablet)
  await page.waitForURL(/\/doc\/login/)
  await expectAccessible(page)
  await signIn(page, owner)
  await shellReady(page)
  const tabs = page.getByRole('navigation', { name: '主要页面' })
  await page.getByRole('button', { name: '林平板' }).tap()
  await page.getByRole('button', { name: /^展会/ }).tap()
  const file = page.getByRole('button', { name: /^展位\.txt/ })
  await file.tap()
  await page.getByText('展位七个').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '关闭' }).first().tap()
  await page.getByRole('button', { name: '“展位.txt”的更多操作' }).tap()
  const sheet = page.getByRole('dialog', { name: '展位.txt' })
  await expectAccessible(page)
  await sheet.getByRole('button', { name: '离线可用', exact: true }).tap()
  await page.getByText('“展位.txt”没有网络也能打开了').waitFor()

  await tabs.getByRole('link', { name: '审批' }).tap()
  await page.getByRole('button', { name: '权限审批' }).tap()
  await page.getByRole('button', { name: /^展位\.txt/ }).tap()
  const review = page.getByRole('dialog', { name: /权限审批/ })
  await review.getByText('要打印').waitFor()
  await expectAccessible(page)
  await review.getByRole('button', { name: /^同意/ }).tap()
  await review.waitFor({ state: 'detached' })
  expect((await asker.download(fileId)).toString()).toBe('展位七个')

  line.cut(true)
  await page.context().setOffline(true)
  await page.goto(`${line.url}/m/index.html`)
  await page.getByRole('heading', { name: '离线浏览' }).waitFor()
  await page.getByRole('button', { name: /^展位\.txt/ }).tap()
  await page.getByText('展位七个').waitFor()
  await page.getByRole('button', { name: '关闭' }).tap()
  line.cut(false)
  await page.context().setOffline(false)
  await tabs.waitFor()

  await tabs.getByRole('link', { name: '我的' }).tap()
  await page.getByRole('button', { name: '使用电脑版页面' }).tap()
  await page.waitForURL(/\/doc\/folder\/files/)
  await new FilesPage(page).grid.waitFor()
  // Another visit, from the start.
  await page.close()
  const later = await page.context().newPage()
  await later.goto(line.url)
  await later.waitForURL(/\/doc\/folder\/files/)
  await new FilesPage(later).grid.waitFor()
  expect(new URL(later.url()).pathname).not.toMatch(/^\/m\//)
  // And the way back.
  await later.locator('.shell-avatar').tap()
  await later.getByRole('menuitem', { name: /^设置/ }).tap()
  await later.getByRole('button', { name: '改用手机版页面' }).tap()
  await later.waitForURL(/\/m\/index\.html/)
  await later.goto(line.url)
  await later.waitForURL(/\/m\/index\.html/)
  const left = browser.problems.filter((problem) => !networkErrors.test(problem))
  browser.problems.splice(0, browser.problems.length, ...left)
})

test('what the browser has removed is named, and is saved again', async () => {
  const owner = await company.person('evictedowner', '清空主人')
  const folderId = await owner.folder(owner.library, '随身')
  await owner.upload(folderId, '清单.txt', Buffer.from('展位三个'))
  await owner.upload(folderId, '旧单.txt', Buffer.from('不用了'))
  const page = await browser.open(company.url, phone)
  await signIn(page, owner)
  await page.goto(`${company.url}/m/files/0/${folderId}`)
  for (const name of ['清单.txt', '旧单.txt']) {
    await page.getByRole('button', { name: `“${name}”的更多操作` }).tap()
    await page.getByRole('dialog', { name }).getByRole('button', { name: '离线可用', exact: true }).tap()
    await page.getByText(`“${name}”没有网络也能打开了`).waitFor()
  }
  // As browsers do: everything that scripts have stored is gone, cookies are not.
  await page.goto(`${company.url}/custom/setting.json`)
  await page.evaluate(async () => {
    localStorage.clear()
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  })
  await page.goto(`${company.url}/m/me`)
  await page.getByText('2 个已不在手机上').waitFor()
  await page.getByRole('button', { name: /^离线可用/ }).tap()
  const gone = page.getByRole('region', { name: '不在这部手机上了' })
  await expectAccessible(page)
  await gone.getByRole('button', { name: '不再列出“旧单.txt”' }).tap()
  await gone.getByRole('button', { name: /^清单\.txt/ }).tap()
  await page.getByText('“清单.txt”没有网络也能打开了').waitFor()
  await gone.waitFor({ state: 'detached' })
  await page
    .getByRole('list', { name: '离线可用' })
    .getByRole('button', { name: /^清单\.txt/ })
    .waitFor()
})

test('on plain HTTP the page says what is missing', async () => {
  const owner = await company.person('plainowner', '明文主人')
  const page = await browser.open(company.url.replace(/localhost|127\.0\.0\.1/, 'cloudoc.example'), phone)
  await page.waitForURL(/\/doc\/login/)
  await signIn(page, owner)
  await page.goto(new URL('/m/offline', page.url()).href)
  await page.getByText('此处不是加密连接（HTTPS）', { exact: false }).waitFor()
})
