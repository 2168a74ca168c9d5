// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { cleanUp, click, element, render } from '../../../test/render.tsx'
import { openWindow } from '../../core/windows/index.ts'
import { PersonAvatar } from './person-avatar.tsx'

vi.mock(import('../../core/windows/index.ts'), async (original) => ({
  ...(await original()),
  openWindow: vi.fn<typeof openWindow>(),
}))
afterEach(cleanUp)

// [R008] The avatars of colleagues in comments, requests and links open their card.
it('[R008] the face of a colleague opens their card', async () => {
  await render(<PersonAvatar id={7} name="林夏" />)
  await click(element('button'))
  expect(vi.mocked(openWindow)).toHaveBeenCalledWith('cloudoc-person-card', { accountId: 7 })
})
