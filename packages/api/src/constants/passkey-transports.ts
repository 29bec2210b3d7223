/** How a browser reaches an authenticator. This value is used by pages too, so no schema stands here. */
export const passkeyTransports = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const;
