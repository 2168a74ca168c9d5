/** Pages without a session, beside the login page. */
export const setPasswordPath = '/doc/set-password'
export const findPasswordPath = '/doc/findpwd'
