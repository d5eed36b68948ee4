// The same flow as scenarios/sign-in.yaml, step for step, 30 times: what playscript is measured against.
import { test, expect } from '@playwright/test';

const copies = Number(process.env.COPIES || 30);
for (let copy = 0; copy < copies; copy++) {
  test(`a visitor signs in ${copy}`, async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveTitle('Sign in · Harbour');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('difference engine');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - textbox "Password"
      - alert: This email and password do not match.`);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('analytical engine');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Keep me signed in', exact: true }).click();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/welcome.html');
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - heading "Welcome, Ada" [level=1]
      - list "Your boats":
        - listitem: /Heron/
      - link "Sign out"`);
    await expect(page.locator('body')).toMatchAriaSnapshot({ name: 'signed-in.aria.yml' });
    await page.getByRole('link', { name: 'Sign out', exact: true }).click();
    await expect(page).toHaveURL(/index\.html$/);
    await expect(page.getByRole('heading', { name: 'Welcome' })).toHaveCount(0);
  });
}
