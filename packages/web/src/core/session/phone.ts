/*
 * Which page a device gets ([R375]): phones, tablets, and touch screens narrower than 970 pixels get the pages below
 * /m, made for a thumb. Whoever has chosen the desktop page keeps it.
 */
import { ClientType } from '@cloudoc/domain'
import { store, stored } from '../storage/storage.ts'

export const mobilePath = '/m/index.html'
/** Touch screens narrower than this get the mobile pages, in pixels ([R375] [R390]). */
export const mobileWidth = 970

/** Stored where the desktop page was chosen. */
export const desktopPageKey = 'desktopPage'

/** A device, as far as the choice of the page depends on it. */
export interface Device {
  readonly userAgent: string
  readonly touch: boolean
  readonly width: number
}

const phones = /Android|iPhone|iPod|iPad|Windows Phone|HarmonyOS|OpenHarmony|Mobile Safari/i

/** Whether the mobile pages suit a device. iPads pose as Macs that have touch screens. */
export function isMobile({ userAgent, touch, width }: Device): boolean {
  const isTablet = touch && /Macintosh/.test(userAgent)
  return phones.test(userAgent) || isTablet || (touch && width < mobileWidth)
}

const here = (): Device => ({
  userAgent: navigator.userAgent,
  touch: navigator.maxTouchPoints > 0,
  width: window.innerWidth,
})

/**
 * The pages that have a mobile counterpart: the start, the files and the login. Other addresses (a window, a chat) were
 * asked for by name and are shown as they are.
 */
const hasMobilePage = (pathname: string): boolean =>
  pathname === '/' || pathname === '/index.html' || /^\/doc\/(?:login|folder(?:\/files)?)\/?$/.test(pathname)

/** Leads a phone or tablet to the mobile pages. Returns whether it does. */
export function redirectPhone(): boolean {
  const { pathname, search } = location
  if (!hasMobilePage(pathname) || stored(desktopPageKey) !== undefined) return false
  // A login that leads on to a named page.
  if (new URLSearchParams(search).has('redirect') || !isMobile(here())) return false
  // An address of a folder or of items names what is to be shown.
  if (pathname.startsWith('/doc/folder') && search !== '') return false
  location.replace(mobilePath)
  return true
}

/** Leaves the mobile pages on this device; the settings of the desktop page lead back. */
export function chooseDesktopPage(): void {
  store(desktopPageKey, '1')
  location.assign('/')
}

/** Sessions of the mobile pages count apart from those of the desktop page. */
export function clientTypeOfPage(): number {
  const leadsTo = new URLSearchParams(location.search).get('redirect') ?? location.pathname
  return leadsTo.startsWith('/m/') ? ClientType.mobile : ClientType.web
}
