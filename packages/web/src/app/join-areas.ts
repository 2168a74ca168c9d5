// Joins the areas: at once those that come with the page, the others with what a session needs. The declarations tell the
// compiler what the areas have, so that a text, a window or a push that nobody declares does not compile.
import type { PushName } from '@cloudoc/contract'
import { type Area, joinArea } from '../core/area/area.ts'
import { textsLoaded } from '../core/i18n/i18n.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import * as areas from './areas.ts'
import type * as Parts from './signed-in.tsx'

type Areas = typeof areas
type LoadedArea<A> = A extends () => Promise<infer Later> ? Later : A
type Part<A, K> = K extends keyof A ? A[K] : never
/** What the areas export under a name, each by itself. */
type Declared<K> = { [N in keyof Areas]: Part<LoadedArea<Areas[N]>, K> }[keyof Areas]
type All<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void ? I : never

type AllTexts = All<Declared<'texts'>['zh']>
type AllWindows = All<Declared<'windows'>>

declare module '../core/i18n/i18n.ts' {
  interface Texts extends AllTexts {}
}
declare module '../core/windows/index.ts' {
  interface Windows extends AllWindows {}
}

type HandledPush = keyof All<Declared<'pushes'>> | keyof All<Declared<'notices'>>
/** Does not compile where no area reacts to a push, and names it. */
export const handledPushes: Record<PushName, unknown> = {} as Record<HandledPush, unknown>

/** Joins what comes with the page. */
export function joinInitialAreas(): void {
  for (const area of Object.values(areas)) if (typeof area !== 'function') joinArea(area)
}

/** What a page needs once somebody is signed in, with all areas joined. */
export async function loadSignedIn(): Promise<typeof Parts> {
  const later = Object.values(areas).map((area) => (typeof area === 'function' ? area() : area))
  const parts = await loadChunk(() => Promise.all([import('./signed-in.tsx'), ...later]))
  for (const area of parts.slice(1)) joinArea(area as Area)
  await textsLoaded()
  return parts[0]
}
