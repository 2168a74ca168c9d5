// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { act, cleanUp, click, element, press, render } from '../../test/render.tsx'
import { TabLinks } from './tab-links.tsx'
import { TabPanel } from './tab-panel.tsx'
import { type Tab, Tabs } from './tabs.tsx'

const tabs: readonly Tab<string>[] = [
  { tab: 'a', text: 'First' },
  { tab: 'b', text: 'Second', count: 3 },
  { tab: 'c', text: 'Third' },
]

function Page(): ReactNode {
  const [tab, setTab] = useState('a')
  return (
    <>
      <Tabs id="page" label="Parts" tabs={tabs} chosen={tab} onChoose={setTab} />
      <TabPanel id="page" chosen={tab}>
        Content {tab}
      </TabPanel>
    </>
  )
}

const panel = (): HTMLElement => element('[role=tabpanel]')

afterEach(cleanUp)

it('tabs choose by click, and name their panel', async () => {
  await render(<Page />)
  expect([panel().textContent, panel().getAttribute('aria-labelledby')]).toEqual(['Content a', 'page-a'])
  await click(element('#page-b'))
  expect([panel().textContent, panel().getAttribute('aria-labelledby')]).toEqual(['Content b', 'page-b'])
  expect(element('#page-b').textContent).toBe('Second 3')
  expect(element('#page-b').getAttribute('aria-controls')).toBe(panel().id)
})

it('tabs move by arrow keys around their ends, by Home and End, with one tab stop', async () => {
  await render(<Page />)
  await act(async () => element('#page-a').focus())
  await press('ArrowLeft')
  expect([panel().textContent, document.activeElement]).toEqual(['Content c', element('#page-c')])
  await press('ArrowRight')
  expect(panel().textContent).toBe('Content a')
  await press('End')
  expect(panel().textContent).toBe('Content c')
  await press('Home')
  expect(panel().textContent).toBe('Content a')
  expect([...document.querySelectorAll('[role=tab][tabindex="0"]')]).toEqual([element('#page-a')])
})

it('links say which page is current', async () => {
  await render(
    <TabLinks
      label="Pages"
      tabs={[
        { to: '/one', text: 'One', current: true },
        { to: '/two', text: 'Two', current: false },
      ]}
    />,
  )
  expect([...document.querySelectorAll('nav a')].map((one) => one.getAttribute('aria-current'))).toEqual(['page', null])
})
