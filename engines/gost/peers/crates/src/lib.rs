//! Messages through the crates of RustCrypto: a key is made once, then each call is one message,
//! with an initialisation vector of its own. Sizes are whole blocks.
use cipher::array::Array;
use cipher::inout::InOutBuf;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, StreamCipher, StreamCipherCore, StreamCipherCoreWrapper,
};
use cmac::Mac;
use mgm::aead::{AeadInPlace, NewAead};

const ECB: u32 = 0;
const CTR: u32 = 1;
const OFB: u32 = 2;
const CBC: u32 = 3;
const CFB: u32 = 4;
const MAC: u32 = 5;
const MGM: u32 = 6;

struct Keys {
    kuznyechik: kuznyechik::Kuznyechik,
    magma: magma::Magma,
    kuznyechik_mac: cmac::Cmac<kuznyechik::Kuznyechik>,
    magma_mac: cmac::Cmac<magma::Magma>,
    kuznyechik_mgm: mgm::Mgm<kuznyechik_of_mgm::Kuznyechik>,
    magma_mgm: mgm::Mgm<magma_of_mgm::Magma>,
}

#[no_mangle]
pub extern "C" fn crates_key(key: &[u8; 32]) -> *mut std::ffi::c_void {
    Box::into_raw(Box::new(Keys {
        kuznyechik: kuznyechik::Kuznyechik::new(key.into()),
        magma: magma::Magma::new(key.into()),
        kuznyechik_mac: KeyInit::new(key.into()),
        magma_mac: KeyInit::new(key.into()),
        kuznyechik_mgm: mgm::Mgm::new(key.into()),
        magma_mgm: mgm::Mgm::new(key.into()),
    }))
    .cast()
}

/// One message of `size` bytes; `out` gets as many, and then the tag in the modes that have one.
///
/// # Safety
/// `keys` is of crates_key, `iv` has one block, `input` and `out` have room.
#[no_mangle]
pub unsafe extern "C" fn crates_message(
    keys: *const std::ffi::c_void,
    magma: bool,
    mode: u32,
    decrypt: bool,
    iv: *const u8,
    input: *const u8,
    out: *mut u8,
    size: usize,
) -> bool {
    let keys = &*keys.cast::<Keys>();
    let block = if magma { 8 } else { 16 };
    let iv = std::slice::from_raw_parts(iv, block);
    let input = std::slice::from_raw_parts(input, size);
    let tag = if mode == MAC || mode == MGM { block } else { 0 };
    let room = if mode == MAC { 0 } else { size };
    let out = std::slice::from_raw_parts_mut(out, room + tag);
    match (mode, magma) {
        (CTR, false) => ctr128(&keys.kuznyechik, iv, input, out),
        (CTR, true) => ctr64(&keys.magma, iv, input, out),
        (MGM, false) => sealed(&keys.kuznyechik_mgm, decrypt, iv, input, out),
        (MGM, true) => sealed(&keys.magma_mgm, decrypt, iv, input, out),
        (MAC, false) => authenticated(&keys.kuznyechik_mac, input, out),
        (MAC, true) => authenticated(&keys.magma_mac, input, out),
        (_, false) => blockwise(&keys.kuznyechik, mode, decrypt, iv, input, out),
        (_, true) => blockwise(&keys.magma, mode, decrypt, iv, input, out),
    }
}

fn ctr128(c: &kuznyechik::Kuznyechik, iv: &[u8], input: &[u8], out: &mut [u8]) -> bool {
    let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(c, iv.try_into().unwrap());
    StreamCipherCoreWrapper::from_core(core).apply_keystream_b2b(input, out);
    true
}

fn ctr64(c: &magma::Magma, iv: &[u8], input: &[u8], out: &mut [u8]) -> bool {
    let core = ctr::CtrCore::<_, ctr::flavors::Ctr64BE>::inner_iv_init(c, iv.try_into().unwrap());
    StreamCipherCoreWrapper::from_core(core).apply_keystream_b2b(input, out);
    true
}

fn authenticated<M: Mac + Clone>(ready: &M, input: &[u8], out: &mut [u8]) -> bool {
    let mut mac = ready.clone();
    mac.update(input);
    out.copy_from_slice(&mac.finalize().into_bytes());
    true
}

fn sealed<A: AeadInPlace>(c: &A, decrypt: bool, iv: &[u8], input: &[u8], out: &mut [u8]) -> bool {
    let (body, tag) = out.split_at_mut(input.len());
    body.copy_from_slice(input);
    if decrypt {
        return c.decrypt_in_place_detached(iv.into(), &[], body, (&*tag).into()).is_ok();
    }
    match c.encrypt_in_place_detached(iv.into(), &[], body) {
        Ok(made) => tag.copy_from_slice(&made),
        Err(_) => return false,
    }
    true
}

fn blockwise<C>(c: &C, mode: u32, decrypt: bool, iv: &[u8], input: &[u8], out: &mut [u8]) -> bool
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser,
{
    let iv: &Array<u8, C::BlockSize> = iv.try_into().unwrap();
    let (from, _) = Array::<u8, C::BlockSize>::slice_as_chunks(input);
    let (to, _) = Array::<u8, C::BlockSize>::slice_as_chunks_mut(out);
    match (mode, decrypt) {
        (ECB, false) => c.encrypt_blocks_b2b(from, to).is_ok(),
        (ECB, true) => c.decrypt_blocks_b2b(from, to).is_ok(),
        (CBC, false) => cbc::Encryptor::inner_iv_init(c, iv).encrypt_blocks_b2b(from, to).is_ok(),
        (CBC, true) => cbc::Decryptor::inner_iv_init(c, iv).decrypt_blocks_b2b(from, to).is_ok(),
        (CFB, false) => {
            cfb_mode::Encryptor::inner_iv_init(c, iv).encrypt_blocks_b2b(from, to).is_ok()
        }
        (CFB, true) => {
            cfb_mode::Decryptor::inner_iv_init(c, iv).decrypt_blocks_b2b(from, to).is_ok()
        }
        (OFB, _) => {
            let both = InOutBuf::new(from, to).unwrap();
            ofb::OfbCore::inner_iv_init(c, iv).apply_keystream_blocks_inout(both);
            true
        }
        _ => false,
    }
}
