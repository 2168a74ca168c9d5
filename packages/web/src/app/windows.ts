// Joins the windows of the areas. The declaration tells the compiler which windows there are; those of people are
// registered at start, the drive's come with the drive.
import { registerWindows } from '../core/window-manager/index.ts'
import { driveWindows } from '../drive/index.ts'
import type { peopleWindows } from '../people/index.ts'

type AllWindows = typeof peopleWindows & typeof driveWindows

declare module '../core/window-manager/index.ts' {
  interface Windows extends AllWindows {}
}

registerWindows(driveWindows)
