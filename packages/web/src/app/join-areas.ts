// Joins the areas: those loaded with the page at once, the others together with the session. The types declare what the
// areas provide, so an undeclared text, window or push does not compile.
import type { PushName } from '@cloudoc/contract'
import { type Area, joinArea } from '../core/area/area.ts'
import { textsLoaded } from '../core/i18n/i18n.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import * as areas from './areas.ts'
import type * as Parts from './signed-in.tsx'

type Areas = typeof areas
type LoadedArea<A> = A extends () => Promise<infer Later> ? Later : A
type Part<A, K> = K extends keyof A ? A[K] : never
/** The union of what each area exports under a name. */
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
/** Does not compile if a push is handled by no area; the error names the push. */
export const handledPushes: Record<PushName, unknown> = {} as Record<HandledPush, unknown>

/** Joins the areas that are loaded with the page. */
export function joinInitialAreas(): void {
  for (const area of Object.values(areas)) if (typeof area !== 'function') joinArea(area)
}

/** Loads what a page needs after sign-in, and joins all areas. */
export async function loadSignedIn(): Promise<typeof Parts> {
  const later = Object.values(areas).map((area) => (typeof area === 'function' ? area() : area))
  const parts = await loadChunk(() => Promise.all([import('./signed-in.tsx'), ...later]))
  for (const area of parts.slice(1)) joinArea(area as Area)
  await textsLoaded()
  return parts[0]
}
