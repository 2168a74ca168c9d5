/** Writes the control program to a file. */
export function bundleControl(outfile: string): Promise<void>
/** Writes the desktop client into a folder: the main process, the preload script, and their manifest. */
export function bundleShell(folder: string): Promise<void>
