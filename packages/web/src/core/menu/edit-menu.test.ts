// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { joinInitialAreas } from '../../app/join-areas.ts'
import { offerEditMenu } from './edit-menu.ts'
import { closeMenu, menuStore } from './menu.ts'

joinInitialAreas()

offerEditMenu()
beforeEach(() => {
  document.body.innerHTML = `
    <input id="text" value="合同"><input id="secret" type="password" value="x"><input id="fixed" readonly value="x">
    <input id="tick" type="checkbox"><select id="select"><option>a</option></select><textarea id="area"></textarea>
    <p id="words">words</p>`
})
afterEach(() => closeMenu())

/** Requests a context menu on the element. Returns whether the browser shows its own. */
function ask(id: string): boolean {
  closeMenu()
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 5 })
  return document.getElementById(id)?.dispatchEvent(event) === true
}
const shown = (): string[] =>
  (menuStore.getState().menu?.entries ?? []).flatMap((entry) => ('separator' in entry ? [] : [entry.label]))
const usable = (): string[] =>
  (menuStore.getState().menu?.entries ?? []).flatMap((entry) =>
    'separator' in entry || entry.disabled === true ? [] : [entry.id],
  )

describe('the context menu of a field', () => {
  it('has undo, redo, cut, copy, paste and select all [R065]', () => {
    expect(ask('text')).toBe(false)
    expect(shown()).toEqual(['撤销', '重做', '剪切', '复制', '粘贴', '全选'])
    expect(ask('area')).toBe(false)
    expect(shown()).toHaveLength(6)
  })

  it('is left to the browser in select boxes, in fields without text and beside fields [R065]', () => {
    for (const id of ['select', 'tick', 'words']) expect([id, ask(id), shown()]).toEqual([id, true, []])
  })

  it('gives nothing away of a password, and changes nothing that is fixed', () => {
    const secret = document.getElementById('secret') as HTMLInputElement
    secret.select()
    ask('secret')
    expect(usable()).not.toContain('copy')
    expect(usable()).not.toContain('cut')
    ask('fixed')
    expect(usable().filter((id) => ['undo', 'redo', 'cut', 'paste'].includes(id))).toEqual([])
  })
})
