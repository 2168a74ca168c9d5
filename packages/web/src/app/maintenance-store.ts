// Whether the server told that it is in maintenance mode, with its message.
import { createStore } from 'zustand/vanilla'

export const maintenanceStore = createStore<{ readonly message: string | undefined }>(() => ({ message: undefined }))
