// Joins the windows of the areas. The declaration tells the compiler which windows there are; those of people are
// registered at start, the drive's come with the drive, and so do its texts.

import { addTexts } from '../core/i18n/i18n.ts'
import { registerWindows } from '../core/windows/index.ts'
import { driveWindows } from '../drive/index.ts'
import { en as driveEn } from '../drive/texts.en.ts'
import { zh as driveZh } from '../drive/texts.zh.ts'
import type { peopleWindows } from '../people/index.ts'
import type { appWindows } from './app-windows.ts'

type AllWindows = typeof appWindows & typeof peopleWindows & typeof driveWindows

declare module '../core/windows/index.ts' {
  interface Windows extends AllWindows {}
}

addTexts(driveZh, driveEn)
registerWindows(driveWindows)
