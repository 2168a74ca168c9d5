// Measures whether the intended file is among the first hits, on the documents of the demo company.
import { demoPassword, fillWithDemo } from '@cloudoc/devkit/demo'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { openWorld, type Person, password } from '../../../test/harness.ts'
import { meant } from '../../../test/relevance.ts'
import { emptyDocument } from '../../documents/index.ts'
import { textJobKinds } from './content-text.ts'
import { indexAllNames } from './index.ts'

const firstPage = 20

// Extracting the text of a whole company takes a minute.
test.runIf(inject('full'))(
  '[R240] of 60 queries the file that is meant is on the first page of 58, and first of 45',
  async () => {
    const world = await openWorld()
    await fillWithDemo({
      adminPassword: password,
      emptyDocument,
      report: () => {},
      async send({ method, path, headers, body }) {
        if (/ 服务工单 /.test(new URLSearchParams(path).get('fileName') ?? ''))
          return { result: codes.success.code, data: null, msg: '' }
        const payload = typeof body === 'string' || body === undefined ? body : Buffer.from(body)
        const response = await world.app.http.inject({
          method,
          url: path,
          headers,
          ...(payload !== undefined && { payload }),
        })
        return response.json()
      },
    })
    await world.app.settle()
    await indexAllNames(world.app.db)
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from job where kind = any(${[...textJobKinds]}) and due is not null`.execute(
          world.app.db,
        )
        expect(rows[0]?.n).toBe(0)
      },
      { timeout: 600_000, interval: 500 },
    )
    const people = new Map<string, Person>()
    const missed: string[] = []
    let [onFirstPage, first] = [0, 0]
    for (const [by, typed, file] of meant) {
      const person = people.get(by) ?? (await world.signIn(by, 7, demoPassword))
      people.set(by, person)
      const { list } = await person.call('searchDoc', { keyword: typed, scope: 'all', rows: firstPage })
      const at = list.findIndex(({ fName, pathString }) => `${pathString}/${fName}`.endsWith(`/${file}`))
      if (at >= 0) onFirstPage += 1
      if (at === 0) first += 1
      else missed.push(`${by} ${typed}: ${at < 0 ? 'not there' : `place ${at + 1}, behind ${list[0]?.fName}`}`)
    }
    expect(
      [onFirstPage >= 58, first >= 45],
      `${onFirstPage} and ${first} of ${meant.length}\n${missed.join('\n')}`,
    ).toEqual([true, true])
    console.info(`${onFirstPage} on the first page, ${first} first\n${missed.join('\n')}`)
  },
  900_000,
)
