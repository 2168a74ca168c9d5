// @vitest-environment happy-dom
// Secret levels on the screen, by the settings of the server.
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { act, cleanUp, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { sessionStore } from '../../core/session/session.ts'
import { closeWindow, windowStore } from '../../core/windows/index.ts'
import { chooseLevels } from './choose-levels.ts'
import { LevelTag } from './levels.tsx'

beforeAll(loadSignedIn)
beforeEach(() => signInAs(7))
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

test('secret_colours gives each level its colour, and further ones that of the last', async () => {
  const colours = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('.dr-level')].map(({ dataset }) => dataset['colour'])
  const shown = [1, 2, 3].map((level) => <LevelTag key={level} level={level} name={`${level}`} />)
  await render(<>{shown}</>)
  expect(colours()).toEqual(['blue', 'amber', 'red'])
  await act(async () =>
    sessionStore.setState(({ session }) => ({
      session: session && {
        ...session,
        serverSetting: { ...session.serverSetting, secret_colours: ['green', 'dark'] },
      },
    })),
  )
  expect(colours()).toEqual(['green', 'dark', 'dark'])
})

test('secret_at_upload asks for the level of each upload of who has one', async () => {
  await render(<p>the files</p>)
  const levelsAsked = (secret_at_upload: boolean) => {
    sessionStore.setState(({ session }) => ({
      session: session && {
        ...session,
        account: { ...session.account, secretLevel: 2 },
        setting: { ...session.setting, secret_manage: true },
        serverSetting: { ...session.serverSetting, secret_at_upload },
      },
    }))
    return chooseLevels([new File(['x'], '合同.txt')], { folderId: 3, folderName: '合同' }, false)
  }
  const file = new File(['x'], '合同.txt')
  expect((await levelsAsked(false))?.(file)).toMatchObject({ secretLevel: 0 })
  expect(windowStore.getState().open).toEqual([])
  const asked = levelsAsked(true)
  await until(() => windowStore.getState().open.some(({ name }) => name === 'cloudoc-secret'))
  await until(() => screenText().includes('合同.txt'))
  for (const { id } of windowStore.getState().open) closeWindow(id)
  // A window that is closed without an answer ends the upload.
  expect(await asked).toBeUndefined()
})
