// Reports how long a visitor waits for the first page of a PDF over a 10 Mbit line. There is no limit, because machines
// differ.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser, patienceMs } from '../browser.ts'
import { openCompany } from './company.ts'
import { documentOf } from './demo-documents.ts'

const company = await openCompany()
const browser = await openBrowser()
const bytesPerSecond = (10 * 1000 * 1000) / 8

// [R228] The time to the first page of a link's PDF over a 10 Mbit line is printed (test:full).
test('[R228] the PDF of a link is in sight soon over a line of 10 Mbit, also with nothing kept from before', async () => {
  const lan = await company.person('link-lan', '链兰')
  const shared = await company.sharedFolder('链上的文件', rightsGroup.full, [lan])
  const bytes = await documentOf('pdf')
  const fileId = await lan.upload(shared, '方案.pdf', bytes)
  const endTime = Date.now() + 3_600_000
  const { linkToken } = await lan.call('externalCreate', { fileId, rights: 12, endTime })
  const waited: number[] = []
  // The first visit may be slower, because it warms up the server as well.
  for (let visit = 0; visit < 4; visit += 1) {
    const page = await browser.open('about:blank')
    const line = await page.context().newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 20,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    const begun = performance.now()
    await page.goto(`${company.url}/s/${linkToken}`)
    await page.locator('.pv-page canvas').first().waitFor({ timeout: patienceMs })
    waited.push(Math.round(performance.now() - begun))
    await page.context().close()
  }
  console.log(
    `a PDF of ${bytes.length} bytes by a link, over 10 Mbit: ${waited.join(', ')} ms from the address to its page`,
  )
  expect(waited).toHaveLength(4)
})
